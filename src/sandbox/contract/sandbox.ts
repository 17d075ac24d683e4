import type { ExactJson } from '../../base/exact-json.ts';
import type { CodeLanguage } from '../../model/evaluators/sandbox-config.ts';

export interface CodeRun {
  readonly language: CodeLanguage;
  /** Source that defines `evaluate`. */
  readonly source: string;
  /** Arguments by name. TypeScript gets them as one object, Python as keyword arguments. */
  readonly inputs: Readonly<Record<string, ExactJson>>;
  /** The run is ended from outside after this time. */
  readonly timeoutMs: number;
  /** The party for which the code runs. Owners share the threads, and a run may start again when it must yield its thread. */
  readonly owner: string;
}

/** Result of a run. What the code printed is cut at a limit. */
export type CodeOutcome =
  | { readonly ok: true; readonly value: ExactJson; readonly printed: string; readonly durationMs: number }
  /** `timeout`, `memory`, `output` are limits; `code` is an error of the code itself, with its line if known. */
  | {
      readonly ok: false;
      readonly reason: 'timeout' | 'memory' | 'output' | 'code';
      readonly message: string;
      readonly printed: string;
      readonly durationMs: number;
    };

/** An input of `evaluate`, as inferred from its signature: a JSON schema of an object. */
export type InferredSignature =
  | { readonly ok: true; readonly inputSchema: Readonly<Record<string, ExactJson>> }
  | { readonly ok: false; readonly problem: string };

/** Runs code of users in worker threads, without files, network, processes and clocks of the server. */
export interface Sandbox {
  run(run: CodeRun, signal: AbortSignal): Promise<CodeOutcome>;
  /** Reads the signature of `evaluate` without running the source. */
  inferSignature(language: CodeLanguage, source: string): Promise<InferredSignature>;
  close(): Promise<void>;
}
