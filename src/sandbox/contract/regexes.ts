export type RegexMatch =
  | { readonly ok: true; readonly isMatch: boolean }
  /** The expression is invalid, or it needs too much time or memory. */
  | { readonly ok: false; readonly problem: string };

/** Applies regular expressions of users, in the syntax of RE2: without look-around and back references. */
export interface Regexes {
  /**
   * Whether an expression matches a text, or a part of it. A small one is applied at once, any other in a thread with a time
   * limit, which owners share.
   *
   * @throws {SpandrelError} `SANDBOX_BUSY`, `SHUTTING_DOWN`; the reason of the signal when it fires
   */
  match(
    pattern: string,
    text: string,
    options: { readonly isFull: boolean; readonly owner: string },
    signal?: AbortSignal,
  ): Promise<RegexMatch>;
  close(): Promise<void>;
}
