import { toExactJsonText } from '../../base/exact-json.ts';
import type { NewAnnotation } from '../../model/annotations/annotation.ts';
import { SpandrelError } from '../../model/errors.ts';
import type { Evaluation, EvaluatorOutcome } from '../../model/evaluators/evaluation.ts';
import type { OnlineEvaluator, OnlineItem, OnlineTarget } from '../../model/evaluators/online-evaluator.ts';
import type { SettledItem } from '../../metadata-store/online-evaluators/online-items.ts';
import { annotateNow } from '../annotations/annotate.ts';
import type { Ports } from '../ports.ts';
import type { OnlineTargetContext } from './find-targets.ts';

type Parts = Pick<Ports, 'onlineEvaluators' | 'spans' | 'writes' | 'caller'>;

/** The outcome of a target, with its annotations. */
export interface ItemOutcome {
  readonly evaluator: OnlineEvaluator;
  readonly item: OnlineItem;
  /** Undefined when it was deleted before its evaluation. */
  readonly target: Pick<OnlineTargetContext, 'targetId' | 'traceId'> | undefined;
  readonly evaluations: readonly Evaluation[];
  readonly error: string | null;
  readonly usage: EvaluatorOutcome['usage'];
}

/**
 * Stores annotations of several targets, then their outcomes. A crash in between repeats evaluations, whose annotations replace the
 * former ones.
 */
export async function settleItems(ports: Parts, outcomes: readonly ItemOutcome[]): Promise<void> {
  const settled: SettledItem[] = [];
  for (const kind of ['SPAN', 'TRACE', 'SESSION'] as const) {
    const ofKind = outcomes.filter(({ evaluator }) => evaluator.target === kind);
    const gone = await annotate(ports, kind, ofKind);
    for (const outcome of ofKind) {
      const { onlineEvaluatorRowId, version, targetRowId } = outcome.item;
      const isGone = outcome.target === undefined || gone.has(outcome);
      settled.push({
        ...{ onlineEvaluatorRowId, version, targetRowId, usage: outcome.usage },
        state: isGone ? 'GONE' : outcome.error === null ? 'DONE' : 'FAILED',
        error: isGone ? null : outcome.error,
      });
    }
  }
  await ports.onlineEvaluators.settle(settled);
}

/** Returns the outcomes whose targets were deleted during their evaluation. */
async function annotate(ports: Parts, kind: OnlineTarget, outcomes: readonly ItemOutcome[]): Promise<Set<ItemOutcome>> {
  const annotations = outcomes.flatMap(toAnnotations);
  if (annotations.length === 0) return new Set();
  try {
    await annotateNow(ports, { target: TARGETS[kind], source: 'API', annotations });
    return new Set();
  } catch (error) {
    if (!(error instanceof SpandrelError) || error.kind !== 'notFound') throw error;
    if (outcomes.length === 1) return new Set(outcomes);
    // All or none are stored, so the others are stored one by one.
    const gone: ItemOutcome[] = [];
    for (const outcome of outcomes) gone.push(...(await annotate(ports, kind, [outcome])));
    return new Set(gone);
  }
}

const TARGETS = { SPAN: 'span', TRACE: 'trace', SESSION: 'session' } as const satisfies Record<OnlineTarget, string>;

function toAnnotations({ evaluator: online, item: { version }, target, evaluations }: ItemOutcome): NewAnnotation[] {
  if (target === undefined) return [];
  const { targetId, traceId: ofTarget } = target;
  return evaluations.map(({ name, annotatorKind, label, score, explanation, metadata, traceId }) => ({
    targetId,
    ...(ofTarget !== undefined && { traceId: ofTarget }),
    documentPosition: null,
    name,
    identifier: `${online.name}@${version}`,
    annotatorKind,
    label,
    score,
    explanation,
    metadata: toExactJsonText({ ...metadata, online_evaluator: online.name, version, evaluation_trace_id: traceId }),
  }));
}
