import type { ExactJson } from '../../../base/exact-json.ts';

/** A JSON value, or a time in nanoseconds since the Unix epoch. Lists and objects are their texts. */
export type Cell = ExactJson | bigint | JsonText;

/** Text of a list or object, which takes a fraction of the memory of its values. */
export class JsonText {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export interface Column {
  readonly name: string;
  readonly cells: Cell[];
}

/** Columns of one length. Those of the index stand first. */
export interface Table {
  readonly index: readonly Column[];
  readonly columns: readonly Column[];
}
