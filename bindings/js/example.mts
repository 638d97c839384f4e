// An agent in TypeScript: node example.mjs wasm_exec.js preflight.wasm, after tsc has compiled it.
import {
  load, PreflightError,
  type Explanation, type Preflight, type Report, type Violation, type Warning,
} from "./preflight.mjs";

declare const process: {
  argv: string[];
  getBuiltinModule(name: "node:fs"): { readFileSync(file: string): Uint8Array<ArrayBuffer> };
  getBuiltinModule(name: "node:module"): { createRequire(from: string): (file: string) => void };
  exit(code: number): never;
};

/** Repairs a request before it is sent, and says what became of it. */
function prepared(preflight: Preflight, request: object): string {
  const { body, report } = preflight.fix(JSON.stringify(request), { provider: "anthropic" });
  for (const w of report.warnings) {
    console.log(`${w.path}: ${w.code}, ${w.detail}`);
  }
  return new TextDecoder().decode(body);
}

// The compiler wants every member of the types here; the program finds every member of the JSON.
const warning: Record<keyof Warning, true> = {
  code: true, class: true, rule: true, path: true, tool_call_id: true, detail: true,
};
const report: Record<keyof Report, true> = {
  provider: true, model: true, changed: true, warnings: true, renamed: true, error: true, class: true,
};
const violation: Record<keyof Violation, true> = {
  rule: true, path: true, tool_call_id: true, message: true,
};
const explanation: Record<keyof Explanation, true> = {
  rule: true, provider: true, statement: true, class: true, sources: true,
};

function known(what: string, value: object, names: Record<string, true>): void {
  for (const name of Object.keys(value)) {
    if (!names[name]) throw new Error(`${what}.${name} is not in the types`);
  }
}

process.getBuiltinModule("node:module").createRequire(import.meta.url)(process.argv[2]!);
const preflight = await load(process.getBuiltinModule("node:fs").readFileSync(process.argv[3]!));
const broken = {
  model: "claude-sonnet-4-5", max_tokens: 9, messages: [
    { role: "user", content: "a" },
    { role: "assistant", content: [{ type: "tool_use", id: "toolu_1", name: "run", input: {} }] },
    { role: "user", content: "b" }],
};
if (prepared(preflight, broken).includes("tool_use")) throw new Error("it is not repaired");
const said = preflight.fix(JSON.stringify(broken), {
  portable: true, betas: [], options: { dangling: "answer" },
}).report;
known("Report", said, report);
known("Warning", said.warnings[0]!, warning);
known("Violation", preflight.check(JSON.stringify(broken))[0]!, violation);
const rule = preflight.explain("messages: text content blocks must be non-empty");
if (rule === null) throw new Error("the text is known");
known("Explanation", rule, explanation);

try {
  preflight.fix("{");
} catch (error) {
  if (!(error instanceof PreflightError) || !error.report.error) throw error;
}

// What the types refuse:
// @ts-expect-error a body is text or bytes
if (broken.max_tokens === 0) preflight.fix(broken);
// @ts-expect-error there is no such option
if (broken.max_tokens === 0) preflight.check("", { sanitize: {} });
// @ts-expect-error a text may be unknown
const never = (text: string): string => preflight.explain(text).rule;
void never;
console.log("ok");
process.exit(0);
