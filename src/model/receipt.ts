declare const isReceipt: unique symbol;

/**
 * What a durable write returns. It is opaque outside ingest: reads see the write when a wait for its receipt has ended. A
 * receipt of an earlier write is worth less than that of a later one.
 */
export type Receipt = number & { readonly [isReceipt]: true };

/** A receipt for both writes. */
export const joinReceipts = (a: Receipt | null, b: Receipt | null): Receipt | null =>
  a === null || (b !== null && b > a) ? b : a;
