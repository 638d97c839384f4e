package wire

import (
	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/internal/cachepoint"
	"github.com/go-preflight/preflight/internal/jsonscan"
	"github.com/go-preflight/preflight/provider"
)

// This file checks a Converse request outside of its messages: thinking, which is one of the
// model's own fields, and the tool configuration.

func prepareBedrock(r *Request) {
	if !r.whole() {
		r.prepareBareList()
		return
	}
	if r.Profile.Reasoning.Signed { // Claude: what others make of its setting is not known
		_, thinking := converseThinking(r.root)
		r.readThinking(thinking)
		if r.State.Thinking == provider.ThinkingBudget {
			r.Profile.Prefill.Refused = true
		}
	}
	if converseReasons(r.root) {
		r.Profile.Reasoning.Refused = false
	}
	r.mendToolConfig()
}

// converseThinking is Claude's thinking setting and its name; Absent when the request has none.
func converseThinking(root jsonscan.Value) (key string, v jsonscan.Value) {
	fields := root.Get("additionalModelRequestFields")
	for _, key := range []string{"thinking", "reasoning_config"} {
		if v := fields.Get(key); v.Exists() {
			return key, v
		}
	}
	return "", jsonscan.Value{}
}

// converseReasons reports whether a request turns Nova's reasoning on. Refusals of the model's own
// reasoning are only on record without this setting, so that an unknown type of it counts as on.
func converseReasons(root jsonscan.Value) bool {
	config := root.Get("additionalModelRequestFields").Get("reasoningConfig")
	kind := config.Get("type")
	return kind.Kind() == jsonscan.String && !kind.StrIs("disabled")
}

// disableConverseThinking switches thinking off when nothing but missing reasoning is wrong with
// the history.
func disableConverseThinking(r *Request, err error) bool {
	key, v := converseThinking(r.root)
	if !v.Exists() || !lacksReasoning(err) {
		return false
	}
	r.switchThinkingOff("additionalModelRequestFields."+key,
		func(e *jsonscan.Edits, _ *jsonscan.ObjectEdit) {
			e.Replace(v.Start(), v.End(), []byte(`{"type":"disabled"}`))
		})
	return true
}

const (
	ruleConverseName = "bedrock/tool-name"
	ruleToolConfig   = "bedrock/tool-config-required"
)

// mendToolConfig repairs the names of declared tools, duplicate declarations, and the cache points
// among the tools, which leave fewer for the messages.
func (r *Request) mendToolConfig() {
	list := r.root.Get("toolConfig").Get("tools")
	if !holdsTool(list) {
		return // see declareToolConfig
	}
	points := 0
	for t := list.First(); t.Exists(); t = t.Next() {
		if isCachePoint(t) {
			points++
		}
	}
	excess, limit := 0, r.Profile.Cache.Limit
	if limit != 0 {
		excess = max(points-max(limit, 0), 0)
	}
	short := false // a short-lived cache point stays
	clear(r.declared)
	var tools listRepair
	for k, t := range list.All() {
		name := r.specName(t)
		switch {
		case isCachePoint(t) && excess > 0:
			excess--
			r.note(breakpointRemoved(indexed(toolConfigTools, k)))
			tools.remove(k)
		case name != "" && r.declared[name]:
			r.note(toolRemoved(indexed(toolConfigTools, k), ruleToolsUnique))
			tools.remove(k)
		default:
			short = short || isCachePoint(t) && cachepoint.Short(t.Raw())
			r.declares(name)
			r.renameTool(t.Get("toolSpec").Get("name"), ruleConverseName, func() string {
				return indexed(toolConfigTools, k) + ".toolSpec.name"
			})
			tools.keep(k)
		}
	}
	r.repairList(list, tools)
	r.renameChoice(ruleConverseName, "toolConfig", "toolChoice", "tool", "name")
	if limit > 0 {
		r.leaveBreakpoints(limit - (points - excess))
	}
	if short && r.Profile.Cache.LongFirst {
		r.shortenAll("")
	}
}

// holdsTool reports whether a list of declared tools holds any.
func holdsTool(list jsonscan.Value) bool {
	for t := first(list); t.Exists(); t = t.Next() {
		if t.Kind() == jsonscan.Object && !isCachePoint(t) {
			return true
		}
	}
	return false
}

// specName returns the repaired name of a declared client tool, "" for anything else.
func (r *Request) specName(t jsonscan.Value) string {
	name := t.Get("toolSpec").Get("name")
	if name.Kind() != jsonscan.String {
		return ""
	}
	return r.Profile.RepairToolName(name.Str())
}

// toolConfigTools is the path of the declared tools.
const toolConfigTools = "toolConfig.tools"

// toolSpecs returns declarations of the tools that the history uses.
func toolSpecs(messages []preflight.Message) (tools [][]byte) {
	for _, name := range usedTools(messages, false) {
		tools = append(tools, []byte(`{"toolSpec":{"name":`+string(quoted(name))+
			`,"inputSchema":{"json":{"type":"object"}}}}`))
	}
	for _, name := range usedTools(messages, true) { // which Bedrock runs
		tools = append(tools, []byte(`{"systemTool":{"name":`+string(quoted(name))+`}}`))
	}
	return tools
}

// declareToolConfig declares the tools that the history uses when the request declares none.
// Converse has no tool choice of none. An empty list is removed when the history uses no tools,
// since it must hold at least one:
// https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolConfiguration.html
func declareToolConfig(
	r *Request, messages []preflight.Message, top *jsonscan.ObjectEdit,
) []finding {
	config := r.root.Get("toolConfig")
	list := config.Get("tools")
	if holdsTool(list) {
		return nil
	}
	tools := toolSpecs(messages)
	switch {
	case len(tools) == 0 && list.Kind() == jsonscan.Array && list.Len() == 0:
		top.DeleteMember("toolConfig")
		return []finding{{
			code: codes.FieldRemoved, rule: ruleToolConfig, path: "toolConfig",
			wrong: "a tool configuration declares at least one tool",
			done:  "removed a tool configuration without tools",
		}}
	case len(tools) == 0:
		return nil
	}
	found := []finding{{
		code: codes.ToolsDeclared, rule: ruleToolConfig, path: "toolConfig",
		wrong: "the history uses tools, but the request declares none",
		done: "declared the tools that the history uses; the model may call them, " +
			"since Converse has no tool choice of none",
	}}
	if list.Len() > 0 || list.Kind() >= jsonscan.String && list.Kind() != jsonscan.Null {
		found = append(found, finding{
			code: codes.ShapeRepaired, rule: ruleShape, path: "toolConfig.tools",
			wrong: "the list of tools holds none",
			done:  "replaced an empty list of tools",
		})
	}
	if config.Kind() != jsonscan.Object {
		top.SetMember("toolConfig", []byte(`{"tools":`+string(joined(tools))+`}`))
		return found
	}
	var e jsonscan.Edits
	edit := jsonscan.EditObject(config)
	edit.SetMember("tools", joined(tools))
	edit.AppendTo(&e)
	name := config.Get("toolChoice").Get("tool").Get("name")
	fixed := r.Profile.RepairToolName(name.Str())
	if name.Kind() == jsonscan.String && fixed != name.Str() {
		e.Replace(name.Start(), name.End(), quoted(fixed))
		found = append(found, toolRenamed("toolConfig.toolChoice.tool.name", ruleConverseName))
	}
	body, err := e.Apply(r.body)
	if err != nil {
		return nil
	}
	top.SetMember("toolConfig", body[config.Start():len(body)-(len(r.body)-config.End())])
	return found
}
