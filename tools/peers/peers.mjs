// Measures the peers in JavaScript on the histories in given.json. The output is JSON: for each peer
// lines in the form of go test -bench, and what it makes of each fault.
//
// With the name of a peer as its argument, it answers each line on standard input, a history, with a
// line of what the peer reads of it and what it makes of it, or of an error.

import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { AIMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { createPatchToolCallsMiddleware } from "deepagents";
// pi-ai exports the function to its own providers only.
import { transformMessages } from "./node_modules/@mariozechner/pi-ai/dist/providers/transform-messages.js";

const given = JSON.parse(readFileSync("given.json", "utf8"));

const textOf = (content) =>
  typeof content === "string" ? content : content.map((block) => block.text ?? "").join("");

const call = (id, name, args) => ({ id, type: "function", function: { name, arguments: args } });

// deepagents, whose middleware patches the messages of an agent's state.
const patch = createPatchToolCallsMiddleware();
const beforeAgent = patch.beforeAgent.hook ?? patch.beforeAgent;
const deepagents = {
  name: "deepagents",
  read: (history) =>
    history.map((m) => {
      if (m.role === "assistant") {
        const tool_calls = (m.tool_calls ?? []).map((c) => ({
          id: c.id,
          name: c.function.name,
          args: JSON.parse(c.function.arguments),
          type: "tool_call",
        }));
        return new AIMessage({ content: m.content, tool_calls });
      }
      if (m.role === "tool") {
        return new ToolMessage({ content: m.content, tool_call_id: m.tool_call_id });
      }
      return new HumanMessage({ content: m.content });
    }),
  pass: async (messages) => (await beforeAgent({ messages }))?.messages ?? messages,
  write: (messages) =>
    messages.flatMap((m) => {
      switch (m.getType()) {
        case "remove": // the state is replaced
          return [];
        case "ai": {
          const out = { role: "assistant", content: textOf(m.content) };
          if (m.tool_calls?.length) {
            out.tool_calls = m.tool_calls.map((c) => call(c.id, c.name, JSON.stringify(c.args)));
          }
          return [out];
        }
        case "tool":
          return [{ role: "tool", tool_call_id: m.tool_call_id, content: textOf(m.content) }];
      }
      return [{ role: "user", content: textOf(m.content) }];
    }),
};

// pi-ai, for the model that wrote the history.
const model = { id: "gpt-4o", api: "openai-completions", provider: "openai", input: ["text"] };
const pi = {
  name: "pi-ai",
  read: (history) =>
    history.map((m) => {
      if (m.role === "assistant") {
        const content = m.content === "" ? [] : [{ type: "text", text: m.content }];
        for (const c of m.tool_calls ?? []) {
          const args = JSON.parse(c.function.arguments);
          content.push({ type: "toolCall", id: c.id, name: c.function.name, arguments: args });
        }
        const { api, provider } = model;
        return { role: "assistant", content, api, provider, model: model.id, stopReason: "stop" };
      }
      if (m.role === "tool") {
        const content = [{ type: "text", text: m.content }];
        return { role: "toolResult", toolCallId: m.tool_call_id, toolName: "look", content };
      }
      return { role: m.role, content: m.content };
    }),
  pass: async (messages) => transformMessages(messages, model),
  write: (messages) =>
    messages.map((m) => {
      if (m.role === "toolResult") {
        return { role: "tool", tool_call_id: m.toolCallId, content: textOf(m.content) };
      }
      const out = { role: m.role, content: textOf(m.content) };
      const found = m.role === "assistant" ? m.content.filter((b) => b.type === "toolCall") : [];
      if (found.length) {
        out.tool_calls = found.map((b) => call(b.id, b.name, JSON.stringify(b.arguments)));
      }
      return out;
    }),
};

// least is the least processor time of a pass in nanoseconds, of rounds that take a tenth of a
// second or more.
async function least(pass) {
  let best = Infinity;
  for (let round = 0; round < 5; round++) {
    const start = performance.now();
    const used = process.cpuUsage();
    let passes = 0;
    do {
      await pass();
      passes++;
    } while (performance.now() - start < 100);
    const { user, system } = process.cpuUsage(used);
    best = Math.min(best, ((user + system) * 1000) / passes);
  }
  return best;
}

async function answer(name) {
  const peer = [deepagents, pi].find((p) => p.name === name);
  for await (const line of createInterface({ input: process.stdin })) {
    let said;
    try {
      const messages = peer.read(JSON.parse(line));
      const read = peer.write(messages);
      said = { read, repaired: peer.write(await peer.pass(messages)) };
    } catch (e) {
      said = { error: String(e) };
    }
    process.stdout.write(JSON.stringify(said) + "\n");
  }
}
if (process.argv[2]) {
  await answer(process.argv[2]);
  process.exit();
}

const out = [];
for (const peer of [deepagents, pi]) {
  const lines = [];
  for (const { name, history } of given.measured) {
    const messages = peer.read(history);
    const time = await least(() => peer.pass(messages));
    lines.push(`BenchmarkPeer/${peer.name}/${name} 1 ${time.toFixed(0)} cpu-ns/op`);
  }
  const repaired = {};
  for (const { name, history } of given.faults) {
    repaired[name] = peer.write(await peer.pass(peer.read(history)));
  }
  out.push({ name: peer.name, lines, repaired });
}
console.log(JSON.stringify(out));
