import { type WasmMemory, wasm } from './web-assembly.ts';

const PAGE_BYTES = 65_536;

/** Memory for one instance of a module that imports it. */
export class LimitedMemory {
  readonly wasm: WasmMemory;
  readonly #initialPages: number;
  #isExhausted = false;

  constructor(initial: number, maximum: number) {
    this.#initialPages = initial;
    const memory = new wasm.Memory({ initial, maximum });
    const grow = memory.grow.bind(memory);
    memory.grow = (pageCount) => {
      this.#isExhausted = true;
      const before = grow(pageCount);
      this.#isExhausted = false;
      return before;
    };
    this.wasm = memory;
  }

  /** Memory never shrinks, so an instance that has grown keeps what it has. */
  get hasGrown(): boolean {
    return this.wasm.buffer.byteLength > this.#initialPages * PAGE_BYTES;
  }

  /** Whether the instance has requested more than the maximum, and has not got a smaller amount since. */
  get isExhausted(): boolean {
    return this.#isExhausted;
  }
}
