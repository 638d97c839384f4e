package openaichat

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-preflight/preflight/preflighttest/internal/fake"
	"github.com/go-preflight/preflight/preflighttest/internal/openai"
	"github.com/go-preflight/preflight/preflighttest/internal/picture"
	"github.com/go-preflight/preflight/preflighttest/internal/read"
)

// Images, sound and files.

// mute checks sound for the models of the fifth generation, which
// was recorded with gpt-5-mini.
func mute(r *fake.Request, found fake.Found) {
	if !strings.HasPrefix(r.Model, "gpt-5") {
		return
	}
	for _, m := range messagesOf(r) {
		for _, p := range read.Array(m.object["content"]) {
			if read.Object(p)["type"] == "input_audio" {
				found.Says(m.path,
					"Invalid '"+m.path+
						"'. Content blocks are expected to be either text or image_url type.")
			}
		}
	}
}

func filename(r *fake.Request, found fake.Found) {
	for _, m := range messagesOf(r) {
		for j, p := range read.Array(m.object["content"]) {
			part := read.Object(p)
			if file := read.Object(part["file"]); read.Text(part["type"]) == "file" &&
				read.Has(file, "file_data") && read.Text(file["filename"]) == "" {
				path := fmt.Sprintf("%s.content[%d].file.filename", m.path, j)
				found.Says(path, openai.Missing(path))
			}
		}
	}
}

func image(r *fake.Request, found fake.Found) {
	for _, m := range messagesOf(r) {
		if m.role == "user" || !slices.Contains(roles, m.role) {
			continue
		}
		for j, p := range read.Array(m.object["content"]) {
			switch kind := read.Text(read.Object(p)["type"]); kind {
			case "image_url":
				found(m.path, "messages[3]", m.path, "role 'tool'", "role '"+m.role+"'")
			case "file", "input_audio":
				path := fmt.Sprintf("%s.content[%d].type", m.path, j)
				found.Says(path,
					fmt.Sprintf("Invalid value: '%s'. Supported values are: 'text'.", kind))
			}
		}
	}
}

// undecodable: traceloop/openllmetry test_vision_base64.
func undecodable(r *fake.Request, found fake.Found) {
	for _, m := range messagesOf(r) {
		for _, p := range read.Array(m.object["content"]) {
			address := read.Text(read.Object(read.Object(p)["image_url"])["url"])
			header, data, _ := strings.Cut(address, ",")
			inline := strings.HasPrefix(header, "data:") && strings.HasSuffix(header, ";base64")
			if read.Text(read.Object(p)["type"]) == "image_url" && inline && !picture.Image(data) {
				found(m.path)
			}
		}
	}
}

// broken finds images that nobody can decode, on hosts whose own list of types is not known.
func broken(r *fake.Request, found fake.Found) {
	for _, m := range messagesOf(r) {
		for _, p := range read.Array(m.object["content"]) {
			part := read.Object(p)
			data := picture.Inline(read.Text(read.Object(part["image_url"])["url"]))
			if read.Text(part["type"]) == "image_url" && data != "" && picture.Broken(data) {
				found(m.path)
			}
		}
	}
}
