import { toItemsOrNull } from '../../duckdb/select-list.ts';
import type { Cell } from '../../duckdb/sql.ts';

/** A list as SQL text, because DuckDB does not accept parameters here. The values are numbers, limited to 0 to 1. */
export const quantileList = (probabilities: readonly number[]): string =>
  `[${probabilities.map((probability) => `${Math.min(1, Math.max(0, Number(probability)))}::DOUBLE`).join(', ')}]`;

/** Converts nanoseconds to ms. Undefined without values. */
export const toMs = (list: Cell): number[] | undefined => toItemsOrNull(list)?.map((ns) => nsToMs(Number(ns)));

export const nsToMs = (ns: number): number => ns / 1e6;
