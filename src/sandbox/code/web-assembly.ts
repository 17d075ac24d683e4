// The parts of WebAssembly that the sandbox uses. The types of Node lack them.

/** A compiled module. */
export interface WasmModule {
  readonly isCompiled?: never;
}

export interface WasmMemory {
  readonly buffer: ArrayBuffer;
  /** @throws {RangeError} when the maximum is exceeded */
  grow(pageCount: number): number;
}

export interface WasmTable {
  get(index: number): (...values: readonly number[]) => number | undefined;
}

export type WasmImports = Record<string, Record<string, (...values: number[]) => number | undefined>>;

interface WasmApi {
  readonly Module: {
    new (bytes: Uint8Array): WasmModule;
    imports(module: WasmModule): readonly { readonly module: string; readonly name: string; readonly kind: string }[];
  };
  /** Compiles on other threads. */
  compile(bytes: Uint8Array): Promise<WasmModule>;
  readonly Memory: new (pages: { readonly initial: number; readonly maximum: number }) => WasmMemory;
  readonly Instance: new (module: WasmModule, imports: WasmImports) => { readonly exports: object };
}

export const wasm: WasmApi = Object.getOwnPropertyDescriptor(globalThis, 'WebAssembly')?.value;
