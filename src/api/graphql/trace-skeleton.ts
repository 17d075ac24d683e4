import type { SpanSummary } from '../../model/span.ts';
import { latencyMs } from './latency.ts';
import { toKindName } from './span-kind.ts';

/** A trace in columns: small enough to send whole, for one that draws all of its spans. By start time. */
export interface TraceSkeleton {
  readonly startTime: bigint | null;
  readonly rowIds: readonly number[];
  readonly spanIds: readonly string[];
  /** Index of the parent in these columns; -1 of a span that names none, -2 where it is not stored. */
  readonly parents: readonly number[];
  /** Distinct names, and which one a span has. */
  readonly names: readonly string[];
  readonly nameIndices: readonly number[];
  readonly spanKinds: readonly string[];
  readonly spanKindIndices: readonly number[];
  readonly errors: readonly number[];
  readonly offsetsMs: readonly number[];
  readonly latenciesMs: readonly number[];
  readonly tokenCounts: readonly number[];
  readonly cumulativeTokenCounts: readonly number[];
}

const NO_PARENT = -1;
const LOST_PARENT = -2;

export function toSkeleton(spans: readonly SpanSummary[]): TraceSkeleton {
  const start = spans[0]?.startTimeUnixNano ?? null;
  const indexOf = new Map(spans.map(({ spanId }, index) => [spanId, index]));
  const names = new Dictionary();
  const spanKinds = new Dictionary();
  return {
    startTime: start,
    rowIds: spans.map(({ rowId }) => rowId),
    spanIds: spans.map(({ spanId }) => spanId),
    parents: spans.map(({ parentSpanId }) =>
      parentSpanId === null ? NO_PARENT : (indexOf.get(parentSpanId) ?? LOST_PARENT),
    ),
    nameIndices: spans.map(({ name }) => names.indexOf(name)),
    names: names.texts,
    spanKindIndices: spans.map(({ spanKind }) => spanKinds.indexOf(toKindName(spanKind))),
    spanKinds: spanKinds.texts,
    errors: spans.flatMap(({ statusCode }, index) => (statusCode === 'ERROR' ? [index] : [])),
    offsetsMs: spans.map(({ startTimeUnixNano }) => Number(startTimeUnixNano - start!) / 1e6),
    latenciesMs: spans.map(latencyMs),
    tokenCounts: spans.map(({ tokensPrompt, tokensCompletion }) => tokensPrompt + tokensCompletion),
    cumulativeTokenCounts: spans.map((span) => span.cumulativeTokensPrompt + span.cumulativeTokensCompletion),
  };
}

/** Distinct texts in the order in which they came. */
class Dictionary {
  readonly texts: string[] = [];
  readonly #indices = new Map<string, number>();

  indexOf(text: string): number {
    let index = this.#indices.get(text);
    if (index === undefined) {
      index = this.texts.push(text) - 1;
      this.#indices.set(text, index);
    }
    return index;
  }
}
