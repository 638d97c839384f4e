// Run by bindings_test.go: node test.mjs wasm_exec.js preflight.wasm
import { strict as assert } from "node:assert";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { load, PreflightError } from "./preflight.mjs";

createRequire(import.meta.url)(process.argv[2]);
const { fix, check, explain } = await load(readFileSync(process.argv[3]));

const broken = JSON.stringify({
  model: "claude-sonnet-4-5", max_tokens: 9, messages: [
    { role: "user", content: "é" },
    { role: "assistant", content: [{ type: "tool_use", id: "toolu_1", name: "run", input: {} }] },
    { role: "user", content: "b" }],
});
const { body, report } = fix(broken, { provider: "anthropic" });
const fixed = new TextDecoder().decode(body);
assert(!fixed.includes("tool_use") && fixed.includes("é"));
assert.equal(report.warnings[0].code, "dangling-removed");
assert.equal(fix(body).report.changed, false);
assert.equal(check(broken)[0].rule, "anthropic/tool-result-missing");
assert.deepEqual(check(fixed), []);
assert(explain("messages: text content blocks must be non-empty").rule.startsWith("anthropic/"));
assert.equal(explain("hello"), null);
assert.throws(() => fix("{"), PreflightError);
assert.throws(() => fix(broken, { nothing: 1 }), PreflightError);
for (const wrong of [null, 7, {}, [1], true, { length: 1e9 }, Symbol("x")]) {
  for (const call of [fix, check, explain]) {
    assert.throws(() => call(wrong), PreflightError, "of another kind than bytes");
  }
}
assert.equal(fix(body).report.changed, false, "others are served on");
const long = broken.replace('"b"', '"' + "b".repeat(60000) + '"');
const start = performance.now();
for (let k = 0; k < 100; k++) fix(long);
console.log(`${(performance.now() - start) / 100} ms for a repair of 60 kB`);
console.log("ok");
process.exit(0);
