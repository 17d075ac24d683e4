import type { CodeLanguage } from '../../model/evaluators/sandbox-config.ts';
import type { WasmModule } from './web-assembly.ts';

/** A run as a thread receives it. */
export interface CodeTask {
  readonly language: CodeLanguage;
  readonly source: string;
  /** JSON text of an object. */
  readonly inputs: string;
  readonly timeoutMs: number;
}

/** A run as a thread returns it. `value` is JSON text, or undefined when the code returned something else. */
export type CodeResult =
  | { readonly ok: true; readonly value: string | undefined; readonly printed: string }
  | {
      readonly ok: false;
      readonly reason: 'timeout' | 'memory' | 'output' | 'code';
      readonly message: string;
      readonly printed: string;
    };

/** Runs code in one language. `prepare` precedes each run, and its time is not that of the code. */
export interface CodeRuntime {
  /** The compiled interpreter. */
  readonly module: WasmModule;
  prepare(task: CodeTask): Promise<void>;
  run(task: CodeTask): CodeResult;
}
