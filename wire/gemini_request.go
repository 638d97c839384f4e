package wire

import (
	"strings"

	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/internal/jsonscan"
)

// This file repairs a Gemini request outside of its contents: the names of functions, and the
// flag for functions beside tools that the API runs.

// prepareGemini mends the names of declared functions; those in the history follow.
func prepareGemini(r *Request) {
	if !r.whole() {
		r.prepareBareList()
		return
	}
	r.placeHeldSystem()
	r.flagMixedTools()
	for k, t := range r.root.Get("tools").All() {
		key := keyOf(t, "functionDeclarations", "function_declarations")
		for n, f := range t.Get(key).All() {
			r.renameTool(f.Get("name"), "", func() string {
				return indexed(indexed("tools", k)+"."+key, n) + ".name"
			})
		}
	}
	config := r.root
	var path [3]string
	for k, keys := range [...][2]string{
		{"toolConfig", "tool_config"}, {"functionCallingConfig", "function_calling_config"},
		{"allowedFunctionNames", "allowed_function_names"},
	} {
		path[k] = keyOf(config, keys[0], keys[1])
		config = config.Get(path[k])
	}
	for n, name := range config.All() {
		r.renameTool(name, "", func() string { return indexed(strings.Join(path[:], "."), n) })
	}
}

// providerTools are the tools that the Gemini API runs itself and was seen to refuse beside
// functions. It was recorded to accept code execution beside them.
var providerTools = [][2]string{{"googleSearch", "google_search"}, {"urlContext", "url_context"}}

// flagMixedTools sets the flag that models of generation 3, those that sign their calls, want on
// the Gemini API where a request declares functions beside tools that the API runs itself. Vertex
// AI does not know the flag.
func (r *Request) flagMixedTools() {
	if r.format.roleRequired || r.Profile.Tools.CallSignature == "" {
		return
	}
	functions, served := false, false
	for t := r.root.Get("tools").First(); t.Exists(); t = t.Next() {
		functions = functions ||
			spelledEither(t, "functionDeclarations", "function_declarations").Len() > 0
		for _, names := range providerTools {
			served = served || spelledEither(t, names[0], names[1]).Kind() == jsonscan.Object
		}
	}
	const flag, alias = "includeServerSideToolInvocations", "include_server_side_tool_invocations"
	key := keyOf(r.root, "toolConfig", "tool_config")
	config := r.root.Get(key)
	if !functions || !served || hasValue(spelledEither(config, flag, alias)) ||
		config.Kind() != jsonscan.Object && hasValue(config) {
		return
	}
	r.note(finding{code: codes.SettingAdded, rule: ruleGeminiToolFlag, path: key,
		wrong: "functions are beside tools that the provider runs, without the flag for that",
		done:  "set the flag for functions beside tools that the provider runs"})
	r.changes = append(r.changes, func(e *jsonscan.Edits, top *jsonscan.ObjectEdit) {
		if config.Kind() != jsonscan.Object {
			top.SetMember(key, []byte(`{"`+flag+`":true}`))
			return
		}
		edit := jsonscan.ObjectEdit{}
		edit.Reset(config)
		edit.SetMember(flag, []byte("true"))
		edit.AppendTo(e)
	})
}
