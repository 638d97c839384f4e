package preflight

// This file keeps a user turn from following tool results directly, where the provider wants the assistant to speak first.

// BridgeResults inserts a short assistant turn between tool results and a user turn.
var BridgeResults = Fixer{
	Name:   "bridge-results",
	Doc:    "inserts an assistant turn between tool results and a user turn where the provider wants one",
	repair: bridgeResults,
}

func bridgeResults(d *draft) {
	if !d.profile.BridgeResults {
		return
	}
	for i := 1; i < len(d.nodes); i++ {
		if d.role(i) != RoleUser || d.role(i-1) != RoleTool {
			continue
		}
		text := &Text{Text: d.policy.bridge()}
		d.warn(d.position(i, none), note{code: CodeTurnInserted, problem: ProblemBridge, detail: "inserted an assistant turn between tool results and a user turn"}, Tally{}, tallyPart(text))
		d.insertBefore(i, made(RoleAssistant, []Part{text}, []origin{{none, none}}))
	}
	d.commit()
}
