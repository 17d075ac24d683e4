import type { SeededRandom } from '../fixtures/seeded-random.ts';
import { NAMES, type PlainSession, type PlainSpan, type PlainTrace, PRICED_MODEL, TIERS } from './random-traces.ts';

/** Text of a filter, and its meaning as a predicate. */
export interface PlainFilter<Item> {
  readonly text: string;
  readonly matches: (item: Item) => boolean;
}

/** A target with at most one annotation named `quality`. */
export interface Annotated {
  readonly label: string;
  readonly score: number;
}

export function randomSpanFilter(
  random: SeededRandom,
  annotated: ReadonlyMap<string, Annotated>,
  depth = 2,
): PlainFilter<PlainSpan> {
  if (depth > 0 && random.chance(0.5)) {
    const [a, b] = [randomSpanFilter(random, annotated, depth - 1), randomSpanFilter(random, annotated, depth - 1)];
    return random.chance(0.5)
      ? { text: `(${a.text}) and (${b.text})`, matches: (span) => a.matches(span) && b.matches(span) }
      : { text: `(${a.text}) or (${b.text})`, matches: (span) => a.matches(span) || b.matches(span) };
  }
  const name = random.pick(NAMES);
  const tier = random.pick(TIERS);
  const ms = random.below(20_000);
  const tokens = random.below(2_000);
  return random.pick<PlainFilter<PlainSpan>>([
    { text: `name == '${name}'`, matches: (span) => span.name === name },
    { text: `name != '${name}'`, matches: (span) => span.name !== name },
    { text: "name == 'nobody has it'", matches: () => false },
    { text: "span_kind == 'TOOL'", matches: ({ kind }) => kind === 'TOOL' },
    { text: "span_kind in ['LLM', 'AGENT']", matches: ({ kind }) => kind === 'LLM' || kind === 'AGENT' },
    { text: "status_code == 'ERROR'", matches: ({ isError }) => isError },
    { text: `latency_ms > ${ms}`, matches: ({ latencyMs }) => latencyMs > ms },
    { text: `not latency_ms > ${ms}`, matches: ({ latencyMs }) => latencyMs <= ms },
    { text: `metadata['tier'] == '${tier}'`, matches: (span) => span.tier === tier },
    { text: `'user-1' in user.id`, matches: ({ user }) => user === 'user-1' },
    { text: `llm.model_name == '${PRICED_MODEL}'`, matches: ({ model }) => model === PRICED_MODEL },
    { text: `llm.token_count.prompt >= ${tokens}`, matches: ({ kind, prompt }) => kind === 'LLM' && prompt >= tokens },
    { text: 'parent_id is None', matches: ({ parentSpanId }) => parentSpanId === undefined },
    {
      text: "annotations['quality'].label == 'good'",
      matches: ({ spanId }) => annotated.get(spanId)?.label === 'good',
    },
    { text: "annotations['quality'].score > 0.5", matches: ({ spanId }) => (annotated.get(spanId)?.score ?? 0) > 0.5 },
  ]);
}

export function randomSessionFilter(
  random: SeededRandom,
  sessions: readonly PlainSession[],
): PlainFilter<PlainSession> {
  const count = 1 + random.below(10);
  const { sessionId } = random.pick(sessions);
  const tokens = random.below(20_000);
  const tokensOf = ({ traces }: PlainSession) =>
    traces.flatMap(({ spans }) => spans).reduce((sum, { prompt, completion }) => sum + prompt + completion, 0);
  const hasError = ({ spans }: PlainTrace) => spans.some(({ isError }) => isError);
  return random.pick<PlainFilter<PlainSession>>([
    { text: `num_traces >= ${count}`, matches: ({ traces }) => traces.length >= count },
    { text: `session_id == '${sessionId}'`, matches: (session) => session.sessionId === sessionId },
    { text: `token_count_total > ${tokens}`, matches: (session) => tokensOf(session) > tokens },
    { text: 'num_traces_with_error > 2', matches: ({ traces }) => traces.filter(hasError).length > 2 },
    { text: 'num_traces > 1000', matches: () => false },
  ]);
}

/** Interpolated quantile. Null without values. */
export function quantile(values: readonly number[], probability: number): number | null {
  if (values.length === 0) return null;
  const sorted = [...values].sort((a, b) => a - b);
  const at = probability * (sorted.length - 1);
  const [below, above] = [sorted[Math.floor(at)]!, sorted[Math.ceil(at)]!];
  return below + (above - below) * (at - Math.floor(at));
}
