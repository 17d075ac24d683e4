/** A position in the log of Postgres, as a number: positions grow with every commit. */
export type LogPosition = bigint;

/** Reads `16/B374D848`. */
export function parseLogPosition(text: string): LogPosition {
  const [, high, low] = /^([\dA-F]{1,8})\/([\dA-F]{1,8})$/i.exec(text) ?? [];
  if (high === undefined || low === undefined) throw new Error(`${text} is not a position in the log of Postgres`);
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`);
}

const PAGE_BYTES = 8_192n;
const PAGE_HEADER_BYTES = 24n;

/**
 * Position at which the last record ends, of the position at which the next one begins. They differ at the end of a
 * page: the next record follows the header of the next page, but a replica reports the end of the page until then.
 */
export const endOfLastRecord = (next: LogPosition): LogPosition =>
  next % PAGE_BYTES === PAGE_HEADER_BYTES ? next - PAGE_HEADER_BYTES : next;
