import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSSyncVariant,
  type QuickJSWASMModule,
} from 'quickjs-emscripten-core';
import type { transform as Transform } from 'sucrase';
import {
  CODE_INSTANCE_COUNT,
  CODE_MEMORY_BYTES_MAX,
  CODE_MESSAGE_CHARS_MAX,
  CODE_RESULT_CHARS_MAX,
  CODE_STACK_BYTES_MAX,
} from '../../model/limits/sandbox.ts';
import { MiB } from '../../model/limits/units.ts';
import type { CodeResult, CodeRuntime, CodeTask } from './code-task.ts';
import { LimitedMemory } from './limited-memory.ts';
import { PrintedText } from './printed-text.ts';
import { type WasmModule, wasm } from './web-assembly.ts';

/** Loads its WebAssembly from its own folder, so it is not part of the bundle. */
const QUICKJS = '@jitl/quickjs-wasmfile-release-sync';
const FILE = 'evaluator.ts';

/**
 * Compiles QuickJS, unless it is given. It imports nothing that reaches files, network, processes or objects of this
 * thread.
 */
export async function openTypeScriptRuntime(compiled: WasmModule | undefined): Promise<CodeRuntime> {
  const require = createRequire(import.meta.url);
  // Compiled on other threads while this one loads the remover of types.
  const compiling = compiled ?? wasm.compile(readFileSync(require.resolve(`${QUICKJS}/wasm`)));
  const { default: variant } = require(QUICKJS) as { readonly default: QuickJSSyncVariant };
  const { transform } = await import('sucrase');
  const module = await compiling;
  /** Keyed by source, the one that ran last at the end. */
  const instances = new Map<string, Instance>();
  return {
    module,
    async prepare({ source }) {
      if (instances.has(source)) return;
      const [oldest] = instances.keys();
      if (oldest !== undefined && instances.size >= CODE_INSTANCE_COUNT) instances.delete(oldest);
      const memory = new LimitedMemory(INITIAL_PAGES, MAXIMUM_PAGES);
      const quickJs = await newQuickJSWASMModuleFromVariant(
        newVariant(variant, { wasmModule: module, wasmMemory: memory.wasm }),
      );
      instances.set(source, { quickJs, memory, code: stripTypes(transform, source) });
    },
    run(task) {
      const instance = instances.get(task.source);
      if (!instance) throw new Error('prepare the task first');
      const { code } = instance;
      if (typeof code !== 'string') return code;
      instances.delete(task.source);
      const result = runIn(instance, code, task);
      if (result.ok && !instance.memory.hasGrown) instances.set(task.source, instance);
      return result;
    },
  };
}

/** Minimum that the module requests. */
const INITIAL_PAGES = 256;
/** QuickJS itself and its stack take 4 MiB. */
const MAXIMUM_PAGES = (CODE_MEMORY_BYTES_MAX + 4 * MiB) / 65_536;

/** Runs the code of one source only, and ends with the first failure, or when its memory has grown. */
interface Instance {
  readonly quickJs: QuickJSWASMModule;
  readonly memory: LimitedMemory;
  /** JavaScript, or the error of a source that has none. */
  readonly code: string | CodeResult;
}

/** JavaScript with the lines of the source, or the syntax error. */
function stripTypes(transform: typeof Transform, source: string): string | CodeResult {
  try {
    return transform(source, { transforms: ['typescript', 'imports'], disableESTransforms: true, filePath: FILE }).code;
  } catch (error) {
    const message = (error instanceof Error ? error.message : String(error)).replace(
      `Error transforming ${FILE}: `,
      '',
    );
    return { ok: false, reason: 'code', message: message.slice(0, CODE_MESSAGE_CHARS_MAX), printed: '' };
  }
}

/**
 * Functions that run inside the context, made before the code of the user can change a prototype. Names in `globalThis`:
 * `console`, and `exports` for a source that is a module.
 */
const PRELUDE = `((print) => {
  const { parse, stringify } = JSON, { isFinite } = Number, text = String;
  const slice = Function.prototype.call.bind(String.prototype.slice);
  const show = (value) => {
    if (typeof value === 'string') return value;
    try { return stringify(value) ?? text(value); } catch { return text(value); }
  };
  const log = (...values) => { let line = ''; for (let i = 0; i < values.length; i++) line += (i ? ' ' : '') + show(values[i]); print(line); };
  globalThis.console = { log, info: log, warn: log, error: log, debug: log };
  globalThis.exports = {};
  return {
    parse,
    toJson: (result) => stringify(result, (key, value) => {
      if (typeof value === 'number' && !isFinite(value)) throw new TypeError('evaluate returned ' + value + ', which is not a JSON number');
      return value;
    }),
    describe: (error) => {
      let message = 'The code threw a value that cannot be shown', stack = '';
      try { message = error instanceof Error ? text(error.name) + ': ' + text(error.message) : 'The code threw ' + show(error); } catch {}
      try { stack = text(error.stack); } catch {}
      return slice(message, 0, ${CODE_MESSAGE_CHARS_MAX}) + '\\x01' + slice(stack, 0, 10000);
    },
  };
})`;

function runIn({ quickJs, memory }: Instance, code: string, task: CodeTask): CodeResult {
  const printed = new PrintedText();
  const deadline = performance.now() + task.timeoutMs;
  const runtime = quickJs.newRuntime();
  runtime.setMaxStackSize(CODE_STACK_BYTES_MAX);
  runtime.setInterruptHandler(() => printed.exceedsLimit || performance.now() > deadline);
  const context = runtime.newContext();
  const fail = (reason: 'timeout' | 'memory' | 'output' | 'code', message: string): CodeResult => ({
    ok: false,
    reason,
    message,
    printed: printed.toString(),
  });
  const overrun = (): CodeResult | undefined => {
    if (printed.exceedsLimit) return fail('output', 'The code printed too much');
    return performance.now() > deadline ? fail('timeout', 'The code exceeded its time limit') : undefined;
  };
  try {
    const handles = new Handles(context);
    const print = handles.add(context.newFunction('print', (line) => printed.add(`${context.getString(line)}\n`)));
    const prelude = handles.call(handles.eval(PRELUDE, 'sandbox'), print);
    const describe = handles.get(prelude, 'describe');
    try {
      // Before the code, which may leave no memory for a long text.
      const inputs = handles.call(handles.get(prelude, 'parse'), handles.add(context.newString(task.inputs)));
      handles.eval(code, FILE);
      const evaluate = handles.eval(FIND_EVALUATE, 'sandbox');
      if (context.typeof(evaluate) !== 'function') {
        return fail('code', 'The source does not define a function named evaluate');
      }
      const returned = handles.settle(handles.call(evaluate, inputs));
      if (!returned) return overrun() ?? fail('code', 'evaluate returned a promise that is never settled');
      const json = handles.call(handles.get(prelude, 'toJson'), returned);
      if (context.typeof(json) !== 'string') return succeed(undefined);
      const charCount = context.getNumber(handles.get(json, 'length'));
      if (charCount > CODE_RESULT_CHARS_MAX) {
        return fail(
          'output',
          `evaluate returned ${charCount} characters of JSON; the maximum is ${CODE_RESULT_CHARS_MAX}`,
        );
      }
      const value = context.getString(json);
      // JSON is never empty: there was no memory for the copy.
      if (value === '') return fail('memory', MEMORY_EXCEEDED);
      handles.dispose();
      context.dispose();
      runtime.dispose();
      return succeed(value);
    } catch (error) {
      const ended = overrun();
      if (ended) return ended;
      if (!(error instanceof ThrownInside)) throw error;
      const [message = '', stack = ''] = context.getString(handles.call(describe, error.handle)).split('\x01');
      if (memory.isExhausted) return fail('memory', MEMORY_EXCEEDED);
      const line = stack.match(/evaluator\.ts:(\d+)/)?.[1];
      return fail('code', line ? `${message} (line ${line})` : message);
    }
  } catch {
    // The description of an error has run code of the user, or the instance has failed.
    const ended = overrun();
    if (ended) return ended;
    if (memory.isExhausted) return fail('memory', MEMORY_EXCEEDED);
    return fail('code', 'The code ended its runtime, for example by a recursion that is too deep');
  }

  function succeed(value: string | undefined): CodeResult {
    return { ok: true, value, printed: printed.toString() };
  }
}

const MEMORY_EXCEEDED = `The code exceeded ${CODE_MEMORY_BYTES_MAX / MiB} MiB of memory`;

const FIND_EVALUATE = `typeof evaluate === 'function' ? evaluate : exports.evaluate ?? exports.default`;

/** An error of the code, as a value inside its context. */
class ThrownInside extends Error {
  readonly handle: QuickJSHandle;
  constructor(handle: QuickJSHandle) {
    super('thrown inside');
    this.handle = handle;
  }
}

/** Values inside a context. All of them are released before the context. */
class Handles {
  readonly #context: QuickJSContext;
  readonly #handles: QuickJSHandle[] = [];

  constructor(context: QuickJSContext) {
    this.#context = context;
  }

  add(handle: QuickJSHandle): QuickJSHandle {
    this.#handles.push(handle);
    return handle;
  }

  get(object: QuickJSHandle, name: string): QuickJSHandle {
    return this.add(this.#context.getProp(object, name));
  }

  eval(code: string, file: string): QuickJSHandle {
    return this.#take(this.#context.evalCode(code, file, { type: 'global' }));
  }

  call(of: QuickJSHandle, ...values: QuickJSHandle[]): QuickJSHandle {
    return this.#take(this.#context.callFunction(of, this.#context.undefined, ...values));
  }

  /** The value of a settled promise, any other value itself, and undefined for a promise that nothing settles. */
  settle(value: QuickJSHandle): QuickJSHandle | undefined {
    if (this.#context.getPromiseState(value).type === 'pending') {
      const jobs = this.#context.runtime.executePendingJobs();
      if (jobs.error) throw new ThrownInside(this.add(jobs.error));
    }
    const state = this.#context.getPromiseState(value);
    if (state.type === 'pending') return undefined;
    if (state.type === 'rejected') throw new ThrownInside(this.add(state.error));
    return state.notAPromise ? value : this.add(state.value);
  }

  dispose(): void {
    for (const handle of this.#handles) if (handle.alive) handle.dispose();
  }

  #take(result: { value: QuickJSHandle; error?: undefined } | { error: QuickJSHandle }): QuickJSHandle {
    if (result.error) throw new ThrownInside(this.add(result.error));
    return this.add(result.value);
  }
}
