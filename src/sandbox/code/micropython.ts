import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { CODE_MEMORY_BYTES_MAX, PYTHON_STACK_WORDS } from '../../model/limits/sandbox.ts';
import { withInitialMemory } from './initial-memory.ts';
import { type WasmImports, type WasmMemory, type WasmModule, type WasmTable, wasm } from './web-assembly.ts';

/** The code used a module that needs the host, such as `js`, `jsffi` or `asyncio`, or read its input. */
export class HostDenied extends Error {}

export interface PythonError {
  readonly type: string;
  readonly traceback: string;
}

/** One interpreter with its own memory. After an exception of `execute` it must not be used again. */
export interface Interpreter {
  /** Runs statements in `__main__`. @throws {HostDenied} */
  execute(source: string): PythonError | undefined;
  /** Restores the memory that it started with, so that nothing of earlier runs is left. False when the memory has grown. */
  reset(): boolean;
}

export function compileMicroPython(): WasmModule {
  const { resolve } = createRequire(import.meta.url);
  const bytes = readFileSync(resolve('@micropython/micropython-webassembly-pyscript/micropython.wasm'));
  return new wasm.Module(withInitialMemory(bytes, INITIAL_PAGES));
}

/**
 * Starts MicroPython with our imports instead of its JavaScript file, which would give Python the objects of this
 * thread and the files of Node. What is not listed here fails.
 */
export function openInterpreter(module: WasmModule, write: (bytes: Uint8Array) => void): Interpreter {
  const exports: Exports = new wasm.Instance(
    module,
    importsFor(module, () => exports, write),
  ).exports as never;
  exports.emscripten_stack_init();
  exports.__wasm_call_ctors();
  exports.mp_js_init(PYTHON_STACK_WORDS, INITIAL_HEAP_BYTES);
  exports.proxy_c_init();
  const outcome = exports.malloc(OUTCOME_BYTES);
  const view = () => new DataView(exports.memory.buffer);
  const initial = new Uint8Array(exports.memory.buffer).slice();
  const stackAddress = exports.emscripten_stack_get_current();
  return {
    reset() {
      const memory = new Uint8Array(exports.memory.buffer);
      if (memory.length !== initial.length) return false;
      memory.set(initial);
      exports._emscripten_stack_restore(stackAddress);
      return true;
    },
    execute(source) {
      const bytes = new TextEncoder().encode(source);
      const address = exports.malloc(bytes.length + 1);
      if (address === 0) return { type: 'MemoryError', traceback: 'MemoryError: the source does not fit' };
      const memory = new Uint8Array(exports.memory.buffer);
      memory.set(bytes, address);
      memory[address + bytes.length] = 0;
      exports.mp_js_do_exec(address, bytes.length, outcome);
      exports.free(address);
      if (view().getInt32(outcome, true) !== EXCEPTION_KIND) return undefined;
      const length = view().getUint32(outcome + 4, true);
      const start = view().getUint32(outcome + 8, true);
      const text = new TextDecoder().decode(new Uint8Array(exports.memory.buffer, start, length));
      const [type = '', traceback = ''] = text.split('\x04');
      return { type, traceback };
    },
  };
}

const INITIAL_HEAP_BYTES = 1024 * 1024;
/** Statics, stack and the initial heap take 1.3 MiB. A small evaluator needs no more. */
const INITIAL_PAGES = 32;
/** Three words: the kind of the result and its value, or the length and address of an error. */
const OUTCOME_BYTES = 12;
const EXCEPTION_KIND = -1;

interface Exports {
  readonly memory: WasmMemory;
  readonly __indirect_function_table: WasmTable;
  emscripten_stack_init(): void;
  emscripten_stack_get_current(): number;
  _emscripten_stack_restore(address: number): void;
  setThrew(threw: number, value: number): void;
  __wasm_call_ctors(): void;
  malloc(byteCount: number): number;
  free(address: number): void;
  mp_js_init(stackWords: number, heapBytes: number): void;
  proxy_c_init(): void;
  mp_js_do_exec(source: number, byteCount: number, outcome: number): void;
}

type Import = (...values: number[]) => number | undefined;

const NO_SUCH_FILE = -44;
const NOT_SUPPORTED = -52;
const BAD_FILE = 8;
const PAGE_BYTES = 65_536;

/** Value that MicroPython throws to return to an earlier frame. */
const LONG_JUMP = Number.POSITIVE_INFINITY;

function importsFor(module: WasmModule, exports: () => Exports, write: (bytes: Uint8Array) => void): WasmImports {
  const given = new Map<string, Import>(
    Object.entries({
      _emscripten_throw_longjmp: () => {
        throw LONG_JUMP;
      },
      emscripten_resize_heap: (byteCount = 0) => grow(exports().memory, byteCount >>> 0),
      fd_write: (_file, vectors = 0, count = 0, written = 0) => {
        const { buffer } = exports().memory;
        const view = new DataView(buffer);
        let byteCount = 0;
        for (let index = 0; index < count; index++) {
          const length = view.getUint32(vectors + 8 * index + 4, true);
          write(new Uint8Array(buffer, view.getUint32(vectors + 8 * index, true), length).slice());
          byteCount += length;
        }
        view.setUint32(written, byteCount, true);
        return 0;
      },
      fd_seek: () => BAD_FILE,
      fd_close: () => 0,
      fd_sync: () => 0,
      mp_js_random_u32: () => crypto.getRandomValues(new Uint32Array(1))[0],
      mp_js_ticks_ms: () => Math.floor(performance.now()),
      mp_js_time_ms: () => Date.now(),
      // The module `js` has no members, and nothing can be called through it.
      lookup_attr: () => 0,
      has_attr: () => 0,
      proxy_js_free_obj: () => undefined,
    } satisfies Readonly<Record<string, Import>>),
  );
  const groups = new Map<string, Map<string, Import>>();
  for (const { module: group, name, kind } of wasm.Module.imports(module)) {
    if (kind !== 'function') throw new Error(`MicroPython imports ${name}, a ${kind}`);
    const functions = groups.get(group) ?? new Map<string, Import>();
    groups.set(
      group,
      functions.set(name, given.get(name) ?? (name.startsWith('invoke_') ? invoke(exports) : denied(name))),
    );
  }
  return Object.fromEntries([...groups].map(([group, functions]) => [group, Object.fromEntries(functions)]));
}

/** Calls a function of the module, and catches its long jumps. */
const invoke =
  (exports: () => Exports): Import =>
  (index = 0, ...values) => {
    const { __indirect_function_table: table, ...stack } = exports();
    const address = stack.emscripten_stack_get_current();
    try {
      return table.get(index)(...values);
    } catch (error) {
      stack._emscripten_stack_restore(address);
      if (error !== LONG_JUMP) throw error;
      stack.setThrew(1, 0);
      return undefined;
    }
  };

function denied(name: string): Import {
  if (name.startsWith('__syscall_') && name !== '__syscall_poll')
    return () => (/stat|open/.test(name) ? NO_SUCH_FILE : NOT_SUPPORTED);
  return () => {
    throw new HostDenied(name);
  };
}

function grow(memory: WasmMemory, byteCount: number): number {
  if (byteCount > CODE_MEMORY_BYTES_MAX) return 0;
  try {
    memory.grow(Math.ceil((byteCount - memory.buffer.byteLength) / PAGE_BYTES));
    return 1;
  } catch {
    return 0;
  }
}
