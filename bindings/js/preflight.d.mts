export interface Warning {
  code: string;
  class: string;
  rule: string;
  path: string;
  tool_call_id?: string;
  detail: string;
}

export interface Report {
  provider: string;
  model: string;
  changed: boolean;
  warnings: Warning[];
  renamed?: Record<string, string>;
  error?: string;
  class?: string;
}

export interface Violation {
  rule: string;
  path: string;
  tool_call_id: string;
  message: string;
}

export interface Explanation {
  rule: string;
  provider: string;
  statement: string;
  class: string;
  sources: string[];
}

/** The JSON form of Go's wire.Options. */
export interface Options {
  provider?: string;
  model?: string;
  portable?: boolean;
  measured?: object;
  betas?: string[];
  options?: Record<string, unknown>;
}

export declare class PreflightError extends Error {
  report: Report;
}

export interface Preflight {
  fix(body: string | Uint8Array, options?: Options): { body: Uint8Array; report: Report };
  check(body: string | Uint8Array, options?: Options): Violation[];
  explain(error: string): Explanation | null;
}

export declare function load(wasm: BufferSource): Promise<Preflight>;
