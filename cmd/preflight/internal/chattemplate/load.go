package chattemplate

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
)

// This file reads templates from the files that they come in.

// mostSource bounds what is read of a file that holds a template, in bytes.
const mostSource = 64 << 20

// Load reads the template in a file: its source, a tokenizer_config.json, or the metadata of a GGUF
// file. Of several templates in a file, that for tools is used for requests that declare tools.
func Load(file string) (*Template, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var head [4]byte
	if _, err := io.ReadFull(f, head[:]); err == nil && string(head[:]) == "GGUF" {
		return loadGGUF(f)
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	data, err := io.ReadAll(io.LimitReader(f, mostSource+1))
	switch {
	case err != nil:
		return nil, err
	case len(data) > mostSource:
		return nil, fmt.Errorf("%s: too large for a template", file)
	}
	if trimmed := bytes.TrimSpace(data); len(trimmed) > 0 && trimmed[0] == '{' && json.Valid(trimmed) {
		return loadConfig(trimmed)
	}
	return Compile(string(data), "<s>", "</s>")
}

// loadConfig reads a tokenizer_config.json.
func loadConfig(data []byte) (*Template, error) {
	var c struct {
		Template json.RawMessage `json:"chat_template"`
		BOS      json.RawMessage `json:"bos_token"`
		EOS      json.RawMessage `json:"eos_token"`
	}
	if err := json.Unmarshal(data, &c); err != nil {
		return nil, err
	}
	bos, eos := tokenOf(c.BOS), tokenOf(c.EOS)
	var source string
	if json.Unmarshal(c.Template, &source) == nil && source != "" {
		return Compile(source, bos, eos)
	}
	var named []struct {
		Name     string `json:"name"`
		Template string `json:"template"`
	}
	_ = json.Unmarshal(c.Template, &named)
	sources := map[string]string{}
	for _, n := range named {
		sources[n.Name] = n.Template
	}
	return compileNamed(sources, bos, eos)
}

// compileNamed compiles the default template and the one for tools.
func compileNamed(sources map[string]string, bos, eos string) (*Template, error) {
	plain, ok := sources["default"]
	if !ok {
		return nil, errors.New("the file has no chat template")
	}
	t, err := Compile(plain, bos, eos)
	if err != nil {
		return nil, err
	}
	if source, ok := sources["tool_use"]; ok {
		if t.toolsFrom, err = Compile(source, bos, eos); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// tokenOf returns a special token: a string, or an object with its content.
func tokenOf(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	var object struct {
		Content string `json:"content"`
	}
	_ = json.Unmarshal(raw, &object)
	return object.Content
}
