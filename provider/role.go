package provider

import (
	"strings"
)

// Role names the author of a message. The neutral roles are system, user, assistant and tool; a
// decoder may leave a provider's own spelling (developer, function, model, human…) in place. A role
// that a profile does not list is mapped to the neutral one it means.
type Role string

// roleSeparators removes what separates the words of a role's name.
var roleSeparators = strings.NewReplacer("_", "", "-", "", " ", "")

// Neutral returns the neutral role for the spelling of a role; known is false for an unknown
// spelling, which means the user.
func (r Role) Neutral() (neutral Role, known bool) {
	switch r {
	case "system", "user", "assistant", "tool":
		return r, true
	}
	name := roleSeparators.Replace(strings.ToLower(strings.TrimSpace(string(r))))
	switch strings.TrimSuffix(strings.TrimSuffix(name, "chunk"), "message") { // of LangChain
	case "system", "developer":
		return "system", true
	case "user", "human":
		return "user", true
	case "assistant", "ai", "model", "bot":
		return "assistant", true
	case "tool", "toolresult", "toolresults", "toolresponse", "tooloutput", "toolcalloutput",
		"toolcallresult", "toolcallresponse", "function", "functionresult", "functionresponse",
		"functionoutput", "functioncalloutput", "functioncallresult", "functioncallresponse",
		"observation", "ipython", "environment": // GLM, Llama and others have roles of these names
		return "tool", true
	}
	return "user", false
}
