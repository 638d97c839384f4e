"""Run by bindings_test.go, with PREFLIGHT_LIBRARY set."""

import json
import threading
import time

import preflight

BROKEN = json.dumps({
    "model": "claude-sonnet-4-5", "max_tokens": 9, "messages": [
        {"role": "user", "content": "é"},
        {"role": "assistant", "content": [
            {"type": "tool_use", "id": "toolu_1", "name": "run", "input": {}}]},
        {"role": "user", "content": "b"}]}, ensure_ascii=False).encode()

fixed, report = preflight.fix(BROKEN, provider="anthropic")
assert b"tool_use" not in fixed and "é".encode() in fixed, fixed
assert report["changed"] and report["warnings"][0]["code"] == "dangling-removed", report
again, report = preflight.fix(fixed)
assert again == fixed and not report["changed"]
assert preflight.check(BROKEN)[0]["rule"] == "anthropic/tool-result-missing"
assert preflight.check(fixed) == []
known = preflight.explain("messages: text content blocks must be non-empty")
assert known["rule"].startswith("anthropic/"), known
assert preflight.explain("hello") is None
for wrong in [lambda: preflight.fix(b"{"), lambda: preflight.fix(BROKEN, nothing=1)]:
    try:
        wrong()
        raise SystemExit("no error")
    except preflight.PreflightError:
        pass
threads = [threading.Thread(target=lambda: [preflight.fix(BROKEN) for _ in range(200)])
           for _ in range(4)]
for t in threads:
    t.start()
for t in threads:
    t.join()
long = BROKEN.replace(b'"b"', b'"' + b"b" * 60000 + b'"')
start = time.perf_counter()
for _ in range(200):
    preflight.fix(long)
print("%.0f µs for a repair of 60 kB" % ((time.perf_counter() - start) / 200 * 1e6))
print("ok")
