import { CODE_OUTPUT_CHARS_MAX, CODE_PRINTED_CHARS_MAX } from '../../model/limits/sandbox.ts';

/** Collects printed text up to a limit, and counts the rest. */
export class PrintedText {
  #stored = '';
  #charCount = 0;

  add(text: string): void {
    this.#charCount += text.length;
    if (this.#stored.length < CODE_PRINTED_CHARS_MAX)
      this.#stored += text.slice(0, CODE_PRINTED_CHARS_MAX - this.#stored.length);
  }

  get exceedsLimit(): boolean {
    return this.#charCount > CODE_OUTPUT_CHARS_MAX;
  }

  toString(): string {
    const cutCount = this.#charCount - this.#stored.length;
    return cutCount > 0 ? `${this.#stored}\n… ${cutCount} more characters` : this.#stored;
  }
}
