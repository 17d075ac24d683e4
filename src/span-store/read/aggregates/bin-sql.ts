import { expectPresent } from '../../../base/expect-present.ts';
import { type BinStep, LEAST_BIN_MS, MONDAY_MS } from '../../../model/time/time-bins.ts';
import type { BinPlan } from '../../contract/query-terms.ts';
import type { Parameters } from '../../duckdb/sql.ts';

/** SQL expression: start of the bin of a time, in microseconds since the epoch. */
export function binOf({ intervals, ...step }: BinPlan, startNs: string, parameters: Parameters): string {
  const starts = intervals.map(({ beforeMs, offsetMs, startMs }) => {
    const start =
      startMs === undefined
        ? multipleOf(step, offsetMs, startNs, parameters)
        : parameters.bigint(BigInt(startMs) * 1_000n);
    return { beforeMs, start };
  });
  const last = expectPresent(starts.pop(), 'the last interval has no end').start;
  if (starts.length === 0) return last;
  const cases = starts.map(
    ({ beforeMs, start }) => `WHEN ${startNs} < ${parameters.bigint(toNano(beforeMs))} THEN ${start}`,
  );
  return `CASE ${cases.join(' ')} ELSE ${last} END`;
}

/** Converts ms to ns, clamped to int64, which stores the times of spans. */
const toNano = (ms: number): bigint => {
  const ns = BigInt(ms) * 1_000_000n;
  return ns > INT64_MAX ? INT64_MAX : ns < -INT64_MAX ? -INT64_MAX : ns;
};
const INT64_MAX = 2n ** 63n - 1n;

/** SQL expression for the last local multiple of the step at or before a time. */
function multipleOf({ scale, scaleCount }: BinStep, offsetMs: number, startNs: string, parameters: Parameters): string {
  const offset = parameters.bigint(BigInt(offsetMs) * 1_000n);
  // Rounded down. A plain division would round times before 1970 up.
  const floor = (value: string, step: string) => `(${value} - ((${value} % ${step}) + ${step}) % ${step})`;
  const local = `(${floor(startNs, '1000')} // 1000 + ${offset})`;
  if (scale === 'MONTH' || scale === 'YEAR') {
    return `epoch_us(date_trunc('${scale.toLowerCase()}', make_timestamp(${local}))) - ${offset}`;
  }
  const shift = scale === 'WEEK' ? BigInt(MONDAY_MS) * 1_000n : 0n;
  const width = parameters.bigint(BigInt(LEAST_BIN_MS[scale]) * 1_000n * BigInt(scaleCount));
  return `${floor(`(${local} - ${shift})`, width)} + ${shift} - ${offset}`;
}
