package gateway

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/jsonscan"
	"github.com/go-preflight/preflight/stored"
)

// This file reads a configuration, and says in which line it is wrong. It decodes member by member,
// so that every fault has the line of the member it is in.

// ConfigError says where a configuration is wrong.
type ConfigError struct {
	Line int // from 1; 0 when the configuration has no lines
	Msg  string
}

// Error names the line and the fault.
func (e *ConfigError) Error() string {
	if e.Line == 0 {
		return "config: " + e.Msg
	}
	return fmt.Sprintf("config, line %d: %s", e.Line, e.Msg)
}

// ParseConfig reads a configuration in JSON. Members that it does not know are errors. The error is
// a *ConfigError.
func ParseConfig(data []byte) (*Config, error) {
	doc, err := jsonscan.Parse(data)
	if err != nil {
		p := parser{data}
		var syntax *jsonscan.SyntaxError
		if errors.As(err, &syntax) {
			return nil, p.fail(syntax.Offset, "not JSON: "+syntax.Msg)
		}
		return nil, p.fail(0, err.Error())
	}
	var c Config
	if err := (parser{data}).config(doc.Root(), &c); err != nil {
		return nil, err
	}
	return &c, nil
}

// parser reads a configuration out of data.
type parser struct{ data []byte }

func (p parser) fail(offset int, msg string) *ConfigError {
	return &ConfigError{1 + bytes.Count(p.data[:min(offset, len(p.data))], []byte("\n")), msg}
}

func (p parser) config(root jsonscan.Value, c *Config) error {
	err := p.members(root, "the configuration", func(key string, v jsonscan.Value) error {
		switch key {
		case "routes":
			return p.routes(v, c)
		case "webhook":
			return p.options(v, key, &c.Webhook)
		}
		return p.into(c)(key, v)
	})
	if err != nil {
		return err
	}
	if err := p.fromEnvironment(root, c); err != nil {
		return err
	}
	if f := c.check(); f != nil {
		at := root
		if f.route >= 0 {
			at = root.Get("routes").At(f.route)
		}
		if member := at.Get(f.member); member.Exists() {
			at = member
		}
		return p.fail(at.Start(), f.msg)
	}
	return nil
}

// fromEnvironment replaces ${NAME} in the members that may hold secrets.
func (p parser) fromEnvironment(root jsonscan.Value, c *Config) error {
	expand := func(text *string, at jsonscan.Value) (written []string, err error) {
		missing := ""
		*text = variable.ReplaceAllStringFunc(*text, func(ref string) string {
			value, ok := os.LookupEnv(ref[2 : len(ref)-1])
			switch {
			case !ok:
				missing = "the environment has no " + ref
			case value == "": // without a token, the page would be open
				missing = ref + " is empty in the environment"
			}
			written = append(written, value, ref)
			return value
		})
		if missing != "" {
			return nil, p.fail(at.Start(), missing)
		}
		return written, nil
	}
	if _, err := expand(&c.Admin.Token, root.Get("admin").Get("token")); err != nil {
		return err
	}
	for k := range c.Routes {
		r, at := &c.Routes[k], root.Get("routes").At(k)
		var err error
		if r.written, err = expand(&r.Upstream, at.Get("upstream")); err != nil {
			return err
		}
		for name, value := range r.Headers {
			if _, err := expand(&value, at.Get("headers")); err != nil {
				return err
			}
			r.Headers[name] = value
		}
	}
	return nil
}

// variable is how a configuration names one of the environment.
var variable = regexp.MustCompile(`\$\{[A-Za-z_][A-Za-z0-9_]*\}`)

func (p parser) routes(list jsonscan.Value, c *Config) error {
	if list.Kind() != jsonscan.Array {
		return p.fail(list.Start(), "routes is a list")
	}
	c.Routes = []Route{}
	for v := list.First(); v.Exists(); v = v.Next() {
		var r Route
		err := p.members(v, "a route", func(key string, v jsonscan.Value) error {
			if key == "options" {
				return p.options(v, key, &r.Options)
			}
			return p.into(&r)(key, v)
		})
		if err != nil {
			return err
		}
		c.Routes = append(c.Routes, r)
	}
	return nil
}

// options reads the options for a history. Their member "older" is a stored.Older, and some are
// members of stored.Options; the fixers of both are added.
func (p parser) options(object jsonscan.Value, name string, o *preflight.Options) error {
	var unwanted stored.Options
	err := p.members(object, name, func(key string, v jsonscan.Value) error {
		switch key {
		case "older":
		case "strip_ephemeral", "strip_system", "clear_meta", "max_string", "head_only",
			"truncate_inputs":
			err := p.into(&unwanted)(key, v)
			if err == nil && unwanted.MaxString < 0 {
				err = p.fail(v.Start(), "max_string is a number from 0")
			}
			return err
		default:
			return p.into(o)(key, v)
		}
		var older stored.Older
		if err := p.members(v, key, p.into(&older)); err != nil {
			return err
		}
		if older.Keep < 0 {
			return p.fail(v.Start(), "older.keep is a number from 0")
		}
		o.Fixers = append(o.Fixers, older.Fixer())
		return nil
	})
	o.Fixers = append(unwanted.Fixers(), o.Fixers...)
	return err
}

// members calls read for each member of an object.
func (p parser) members(
	object jsonscan.Value, name string, read func(string, jsonscan.Value) error,
) error {
	if object.Kind() != jsonscan.Object {
		return p.fail(object.Start(), name+" is an object")
	}
	seen := map[string]bool{}
	for v := object.First(); v.Exists(); v = v.Next() {
		key := v.Key().Str()
		if seen[key] {
			return p.fail(v.Key().Start(), key+" is there twice")
		}
		if strings.Trim(key, "abcdefghijklmnopqrstuvwxyz_") != "" { // encoding/json ignores case
			return p.fail(v.Key().Start(), fmt.Sprintf("unknown field %q", key))
		}
		seen[key] = true
		if err := read(key, v); err != nil {
			return err
		}
	}
	return nil
}

// unique returns an error if an object in v has a member twice: encoding/json takes the last one.
func (p parser) unique(v jsonscan.Value) error {
	seen := map[string]bool{}
	for member := v.First(); member.Exists(); member = member.Next() {
		if v.Kind() == jsonscan.Object {
			key := member.Key().Str()
			if seen[key] {
				return p.fail(member.Key().Start(), key+" is there twice")
			}
			seen[key] = true
		}
		if err := p.unique(member); err != nil {
			return err
		}
	}
	return nil
}

// into reads one member into a struct that has it.
func (p parser) into(target any) func(string, jsonscan.Value) error {
	return func(key string, v jsonscan.Value) error {
		if err := p.unique(v); err != nil {
			return err
		}
		single, err := json.Marshal(map[string]json.RawMessage{key: v.Raw()})
		if err == nil {
			d := json.NewDecoder(bytes.NewReader(single))
			d.DisallowUnknownFields()
			err = d.Decode(target)
		}
		var kind *json.UnmarshalTypeError
		switch {
		case errors.As(err, &kind):
			return p.fail(v.Key().Start(), fmt.Sprintf("%s cannot be a %s", kind.Field, kind.Value))
		case err != nil:
			return p.fail(v.Key().Start(), strings.TrimPrefix(err.Error(), "json: "))
		}
		return nil
	}
}
