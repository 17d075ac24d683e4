import { SPAN_KINDS, STATUS_CODES } from '../../../semconv/span-kinds.ts';
import { toSpanId } from '../../../model/traces/trace-ids.ts';
import type { TraceSkeleton } from '../../../model/traces/trace-skeleton.ts';
import type { Resolvers } from '../resolvers.ts';
import { toKindName } from '../spans/span-kind.ts';

const KIND_NAMES = SPAN_KINDS.map(toKindName);
const ERROR = STATUS_CODES.indexOf('ERROR');

/** Columns as lists, from which the response is written. */
export const traceSkeletonResolvers: Resolvers = {
  startTime: ({ startTimeUnixNano }: TraceSkeleton) => startTimeUnixNano,
  rowIds: ({ rowIds }: TraceSkeleton) => Array.from(rowIds),
  spanIds: ({ spanIdWords, textIds }: TraceSkeleton) =>
    Array.from(new BigUint64Array(spanIdWords.buffer), (id, index) => textIds.get(index) ?? toSpanId(id)),
  parents: ({ parents }: TraceSkeleton) => Array.from(parents),
  names: ({ names }: TraceSkeleton) => names,
  nameIndices: ({ nameIndices }: TraceSkeleton) => Array.from(nameIndices),
  spanKinds: () => KIND_NAMES,
  spanKindIndices: ({ spanKinds }: TraceSkeleton) => Array.from(spanKinds),
  errors: ({ statusCodes }: TraceSkeleton) => indicesOf(statusCodes, ERROR),
  offsetsMs: ({ offsetsMs }: TraceSkeleton) => Array.from(offsetsMs),
  latenciesMs: ({ latenciesMs }: TraceSkeleton) => Array.from(latenciesMs),
  tokenCounts: ({ tokenCounts }: TraceSkeleton) => Array.from(tokenCounts),
  cumulativeTokenCounts: ({ cumulativeTokenCounts }: TraceSkeleton) => Array.from(cumulativeTokenCounts),
};

function indicesOf(column: Uint8Array, value: number): number[] {
  const found: number[] = [];
  for (let at = column.indexOf(value); at >= 0; at = column.indexOf(value, at + 1)) found.push(at);
  return found;
}
