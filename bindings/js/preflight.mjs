// preflight for JavaScript and TypeScript, through its WebAssembly module.
//
// load() needs Go's wasm_exec.js, which sets globalThis.Go, and the bytes of preflight.wasm.

const text = new TextDecoder();
const bytes = (data) => (typeof data === "string" ? new TextEncoder().encode(data) : data);

/** A body that is no request, or wrong options. report has what is known. */
export class PreflightError extends Error {
  constructor(report) {
    super(report.error);
    this.report = report;
  }
}

/** Starts the module, and returns its three functions. */
export async function load(wasm) {
  const go = new globalThis.Go();
  const { instance } = await WebAssembly.instantiate(wasm, go.importObject);
  go.run(instance); // until the program ends
  const module = globalThis.preflightFunctions;
  const options = (given) => (given ? bytes(JSON.stringify(given)) : new Uint8Array());
  return {
    /** Repairs a request body: {body, report}, with the body to send as a Uint8Array. */
    fix(body, given) {
      const [status, fixed, said] = module.fix(bytes(body), options(given));
      const report = JSON.parse(text.decode(said));
      if (status === 2) throw new PreflightError(report);
      return { body: fixed, report };
    },
    /** Returns the violations of a request body, [] for a valid one. */
    check(body, given) {
      const [, said] = module.check(bytes(body), options(given));
      const report = JSON.parse(text.decode(said));
      if (!report.violations) throw new PreflightError(report);
      return report.violations;
    },
    /** Returns the rule that a provider's error text is about, null for an unknown text. */
    explain(error) {
      const [status, said] = module.explain(bytes(error));
      if (status === 2) throw new PreflightError(JSON.parse(text.decode(said)));
      return status === 0 ? JSON.parse(text.decode(said)) : null;
    },
  };
}
