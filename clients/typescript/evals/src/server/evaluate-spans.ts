import { createHash } from 'node:crypto';
import type { SpandrelClient } from '@spandrel/client';
import { ArgumentError } from '../errors.ts';
import type { EvaluatorBase } from '../evaluators/evaluator-base.ts';
import type { EvaluatedRow } from '../runner/evaluated-row.ts';
import { type EvaluateRunOptions, evaluate } from '../runner/evaluation-run.ts';
import type { RunSummary } from '../runner/run-summary.ts';
import { type ConfigChange, fitAnnotationConfig } from './fit-annotation-config.ts';
import { readSpanRows, type SpanRow, type SpanSelection } from './span-rows.ts';

export interface EvaluateSpansOptions
  extends SpanSelection,
    Omit<EvaluateRunOptions<SpanRow>, 'data' | 'signal' | 'evaluators' | 'needsEvaluator'> {
  // biome-ignore lint/suspicious/noExplicitAny: evaluators of one run may want different fields of a span
  readonly evaluators: readonly EvaluatorBase<any>[];
  /** Annotations of one name and identifier replace each other, so a second run doubles nothing. */
  readonly identifier: string;
  /** Share of the spans, from 0 to 1, chosen by a hash of the span ID: the same spans each time. Default 1. */
  readonly sample?: number;
  /** At most this number of spans. */
  readonly limit?: number;
  /** Asks for each span only the evaluators without an annotation of this identifier, and leaves out spans that have all of them. */
  readonly skipAnnotated?: boolean;
}

/** What a run over spans did. */
export interface SpansSummary extends RunSummary {
  readonly annotationCount: number;
  /** Spans that were left out because they are annotated. */
  readonly skippedCount: number;
  /** Name of the evaluator → what was done with its annotation config. */
  readonly configs: Readonly<Record<string, ConfigChange>>;
  /**
   * Start of the newest span that was evaluated or left out, in milliseconds since 1970. A span whose evaluation failed because of a call
   * is not passed, so that the next run looks at it again.
   */
  readonly newestStartTimeMs: number | undefined;
}

const ANNOTATION_BATCH_COUNT = 200;

/**
 * Evaluates spans and annotates them while it goes on. Annotation configs are made to fit before.
 *
 * @throws {ArgumentError} for a sample outside of 0 to 1 and a blank identifier
 */
export async function evaluateSpans(options: EvaluateSpansOptions): Promise<SpansSummary> {
  const { client, evaluators, identifier, signal, project: _, filter: __, ...rest } = options;
  if (!identifier.trim())
    throw new ArgumentError('Annotations need an identifier, so that a second run replaces them.');
  const configs: [string, ConfigChange][] = [];
  for (const evaluator of evaluators) configs.push([evaluator.name, await fitAnnotationConfig(client, evaluator)]);
  const chosen = chooseSpans(options);
  const run = evaluate<SpanRow>({
    ...rest,
    evaluators,
    data: chosen.rows,
    needsEvaluator: needsOf(options),
    ...(signal && { signal }),
  });
  const sender = new AnnotationSender(client, identifier);
  let oldestLostMs = Number.POSITIVE_INFINITY;
  try {
    for await (const row of run) {
      await sender.add(row);
      if (row.row && isLost(row)) oldestLostMs = Math.min(oldestLostMs, row.row.startTimeMs);
    }
  } finally {
    // Results are paid for, also when the run breaks off.
    await sender.flush();
  }
  const { newestStartTimeMs: newest } = chosen.counts;
  return {
    ...(run.summary as RunSummary),
    annotationCount: sender.count,
    skippedCount: chosen.counts.skipped,
    configs: Object.fromEntries(configs),
    newestStartTimeMs: newest === undefined ? undefined : Math.min(newest, oldestLostMs),
  };
}

/** Whether a later run may succeed: a call failed, and neither the span nor the answer was the reason. */
const isLost = ({ details }: EvaluatedRow<SpanRow>): boolean =>
  Object.values(details).some(({ status, errorKind }) => status === 'FAILED' && errorKind === 'other');

/** Whether a run evaluates a span by the evaluator of a name. It decides which spans are left out, too. */
const needsOf =
  ({ skipAnnotated = false, identifier }: Pick<EvaluateSpansOptions, 'skipAnnotated' | 'identifier'>) =>
  ({ annotations }: SpanRow, name: string): boolean =>
    !skipAnnotated || !annotations.some((each) => each.name === name && each.identifier === identifier);

/** The spans of a run, streamed, with counts that are complete at the end. */
export function chooseSpans(
  options: SpanSelection &
    Pick<EvaluateSpansOptions, 'sample' | 'limit' | 'skipAnnotated' | 'identifier' | 'evaluators'>,
) {
  const { sample = 1, limit = Number.POSITIVE_INFINITY, evaluators } = options;
  if (!(sample > 0 && sample <= 1))
    throw new ArgumentError(`sample is a share above 0 and up to 1, and not ${sample}.`);
  const names = evaluators.map(({ name }) => name);
  const counts = {
    chosen: 0,
    skipped: 0,
    newestStartTimeMs: undefined as number | undefined,
    /** Name of the evaluator → spans that it evaluates. */
    chosenFor: new Map(names.map((name) => [name, 0])),
  };
  const needsEvaluator = needsOf(options);
  async function* rows() {
    for await (const row of readSpanRows(options)) {
      if (sample < 1 && shareOf(row.spanId) >= sample) continue;
      if (counts.chosen >= limit) return;
      counts.newestStartTimeMs = Math.max(counts.newestStartTimeMs ?? 0, row.startTimeMs);
      const needed = names.filter((name) => needsEvaluator(row, name));
      for (const name of needed) counts.chosenFor.set(name, (counts.chosenFor.get(name) ?? 0) + 1);
      if (needed.length > 0) {
        counts.chosen++;
        yield row;
      } else counts.skipped++;
    }
  }
  return { rows: rows(), counts };
}

/** A number from 0 up to 1 that depends on the ID alone. */
const shareOf = (spanId: string): number => createHash('sha256').update(spanId).digest().readUIntBE(0, 6) / 2 ** 48;

/** Sends annotations in batches, in order. */
class AnnotationSender {
  count = 0;
  readonly #client: SpandrelClient;
  readonly #identifier: string;
  #waiting: AnnotationBody[] = [];

  constructor(client: SpandrelClient, identifier: string) {
    this.#client = client;
    this.#identifier = identifier;
  }

  async add({ row, scores }: EvaluatedRow<SpanRow>): Promise<void> {
    if (!row) return;
    for (const score of Object.values(scores)) {
      if (!score) continue;
      const { traceId, ...metadata } = score.metadata ?? {};
      this.#waiting.push({
        span_id: row.spanId,
        name: score.name,
        annotator_kind: score.kind === 'llm' ? 'LLM' : 'CODE',
        identifier: this.#identifier,
        result: { score: score.score ?? null, label: score.label ?? null, explanation: score.explanation ?? null },
        metadata: { ...metadata, direction: score.direction, ...(traceId !== undefined && { trace_id: traceId }) },
      });
    }
    if (this.#waiting.length >= ANNOTATION_BATCH_COUNT) await this.flush();
  }

  /** Resolves when the server has stored them. */
  async flush(): Promise<void> {
    const data = this.#waiting;
    this.#waiting = [];
    if (data.length === 0) return;
    await this.#client.POST('/v1/span_annotations', { params: { query: { sync: true } }, body: { data } });
    this.count += data.length;
  }
}

interface AnnotationBody {
  readonly span_id: string;
  readonly name: string;
  readonly annotator_kind: 'LLM' | 'CODE';
  readonly identifier: string;
  readonly result: {
    readonly score: number | null;
    readonly label: string | null;
    readonly explanation: string | null;
  };
  readonly metadata: Record<string, unknown>;
}
