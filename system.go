package preflight

// This file removes system messages from a history that is going to be given new ones.

// StripSystem removes every system message when Options.StripSystem asks for it: a framework that resumes a stored session
// injects its own, and two of them are one too many.
var StripSystem = Fixer{
	Name:   "strip-system",
	Doc:    "removes system messages (when asked)",
	repair: stripSystem,
}

func stripSystem(d *draft) {
	if !d.policy.StripSystem {
		return
	}
	for i := range d.nodes {
		if d.role(i) == RoleSystem {
			d.dropMessage(i, note{code: CodeSystemRemoved, detail: "removed a system message"})
		}
	}
	d.commit()
}
