package gemini

import "github.com/go-preflight/preflight/preflighttest/internal/fake"

// Roles and their order.

// role asks for a role on Vertex AI alone: the Gemini API takes a content
// without one for the user's.
func role(r *fake.Request, found fake.Found) {
	g := opened(r)
	for _, c := range g.contents {
		switch c.role {
		case "user", "model", "system":
			continue
		case "function", "tool":
			if !g.vertex && g.model.functions() {
				continue
			}
		case "":
			if !g.vertex {
				continue
			}
		}
		found(c.path + ".role")
	}
}

// models reports whether the content is the model's.
func (c content) models() bool { return c.role == "model" }

// alternation asks it of the first generation, which had to end with the
// user, too.
func alternation(r *fake.Request, found fake.Found) {
	g := opened(r)
	if !g.model.first() {
		return
	}
	for i, c := range g.contents {
		if i == 0 && c.models() ||
			i > 0 && c.models() == g.contents[i-1].models() && c.role != "system" &&
				g.contents[i-1].role != "system" {
			found(c.path)
		}
	}
	if n := len(g.contents); n > 0 && g.contents[n-1].models() {
		found.Says(g.contents[n-1].path,
			"Please ensure that multiturn requests ends with a user role or a function response.")
	}
}

func endsWithModel(r *fake.Request, found fake.Found) {
	g := opened(r)
	if n := len(g.contents); n > 0 && g.contents[n-1].models() && !g.model.prefills() {
		found(g.contents[n-1].path)
	}
}

// mixed looks for text after a response in its content, which Vertex AI
// takes for a final turn of the model's
// (https://github.com/router-for-me/CLIProxyAPI/issues/5607). It was seen in
// the last content; a history whose last content this was is no better later.
func mixed(r *fake.Request, found fake.Found) {
	g := opened(r)
	if !g.vertex || g.model.prefills() {
		return
	}
	for _, c := range g.contents {
		text := ""
		for i := len(c.parts) - 1; i >= 0 && c.parts[i].response == nil; i-- {
			if c.parts[i].object["text"] != nil && c.parts[i].signature() == "" {
				text = c.parts[i].path
			}
		}
		if text != "" && len(c.responses()) > 0 {
			found(text)
		}
	}
}

func system(r *fake.Request, found fake.Found) {
	g := opened(r)
	for _, c := range g.contents {
		if c.role != "system" {
			continue
		}
		if g.vertex {
			found.Says(c.path+".role",
				"Content with system role is not supported. Please use a valid role: user, model.")
		} else {
			found(c.path + ".role")
		}
	}
}
