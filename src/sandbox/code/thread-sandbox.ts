import { toExactJsonText } from '../../base/exact-json.ts';
import { parseExactJson } from '../../base/parse-exact-json.ts';
import {
  CODE_INPUT_CHARS_MAX,
  CODE_INTERRUPT_MS_MAX,
  CODE_RESULT_DEPTH_MAX,
  CODE_SOURCE_CHARS_MAX,
  CODE_THREAD_COUNT,
  SANDBOX_HEAP_MB_MAX,
} from '../../model/limits/sandbox.ts';
import type { CodeOutcome, CodeRun, Sandbox } from '../contract/sandbox.ts';
import { inferPythonSignature } from '../signature/python-signature.ts';
import { inferTypeScriptSignature } from '../signature/typescript-signature.ts';
import { type TaskOutcome, ThreadPool } from '../threads/thread-pool.ts';
import type { CodeResult, CodeTask } from './code-task.ts';

/** Runs TypeScript in QuickJS and Python in MicroPython, both compiled to WebAssembly, in threads of their own. */
export function createSandbox(): Sandbox {
  const threads = new ThreadPool<CodeTask, CodeResult>({
    file: new URL('./code-worker.cjs', import.meta.url),
    name: 'sandbox',
    threadCount: CODE_THREAD_COUNT,
    resourceLimits: { maxOldGenerationSizeMb: SANDBOX_HEAP_MB_MAX },
  });
  return {
    async run(run, signal) {
      const task = toTask(run);
      if ('problem' in task) return fail('code', task.problem);
      const timeoutMs = run.timeoutMs + CODE_INTERRUPT_MS_MAX;
      return toOutcome(await threads.run(task, { owner: run.owner, timeoutMs, signal }), run);
    },
    async inferSignature(language, source) {
      if (source.length > CODE_SOURCE_CHARS_MAX) return { ok: false, problem: sourceTooLong(source) };
      return language === 'PYTHON' ? inferPythonSignature(source) : inferTypeScriptSignature(source);
    },
    close: () => threads.close(),
  };
}

function toTask({ language, source, inputs, timeoutMs }: CodeRun): CodeTask | { readonly problem: string } {
  if (source.length > CODE_SOURCE_CHARS_MAX) return { problem: sourceTooLong(source) };
  const text = toExactJsonText(inputs);
  if (text.length > CODE_INPUT_CHARS_MAX) {
    return { problem: `The inputs have ${text.length} characters of JSON; the maximum is ${CODE_INPUT_CHARS_MAX}` };
  }
  return { language, source, inputs: text, timeoutMs };
}

const sourceTooLong = (source: string): string =>
  `The source has ${source.length} characters; the maximum is ${CODE_SOURCE_CHARS_MAX}`;

function toOutcome(outcome: TaskOutcome<CodeResult>, { timeoutMs }: CodeRun): CodeOutcome {
  const { durationMs } = outcome;
  if (outcome.type === 'timeout') return fail('timeout', timedOut(timeoutMs), '', durationMs);
  if (outcome.type === 'memory') return fail('memory', 'The code needed too much memory', '', durationMs);
  if (outcome.type === 'failed') return fail('code', outcome.message, '', durationMs);
  return toResult(outcome.result, durationMs, timeoutMs);
}

function toResult(result: CodeResult, durationMs: number, timeoutMs: number): CodeOutcome {
  const { printed } = result;
  if (!result.ok) {
    const message = result.reason === 'timeout' ? timedOut(timeoutMs) : result.message;
    return fail(result.reason, message, printed, durationMs);
  }
  if (result.value === undefined) return { ok: true, value: null, printed, durationMs };
  try {
    const value = parseExactJson(result.value, { depthMax: CODE_RESULT_DEPTH_MAX });
    return { ok: true, value, printed, durationMs };
  } catch {
    return fail('code', NOT_JSON, printed, durationMs);
  }
}

const NOT_JSON = `evaluate returned a value that is not JSON, or that nests more deeply than ${CODE_RESULT_DEPTH_MAX} levels`;

const timedOut = (timeoutMs: number): string => `The code exceeded its time limit of ${timeoutMs} ms`;

const fail = (
  reason: 'timeout' | 'memory' | 'output' | 'code',
  message: string,
  printed = '',
  durationMs = 0,
): CodeOutcome => ({ ok: false, reason, message, printed, durationMs });
