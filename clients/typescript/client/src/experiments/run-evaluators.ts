import type { DatasetExample } from '../datasets/datasets.ts';
import { toJsonValue } from '../http/json-value.ts';
import { type ExperimentEvaluator, toEvaluationResult } from './evaluators.ts';
import type { EvaluationResult, ExperimentEvaluationRun, ExperimentRun } from './experiment-types.ts';
import type { Progress } from './logger.ts';
import type { ResultPoster } from './post-results.ts';
import { toErrorText } from './run-tasks.ts';
import { randomHex, valueAttributes } from './span-sender.ts';
import type { WorkSession } from './work-session.ts';

/** One evaluation that is to be made. */
export interface PlannedEvaluation {
  readonly run: ExperimentRun;
  readonly example: DatasetExample;
  readonly evaluator: ExperimentEvaluator;
}

export interface EvaluationPlan {
  /** Project of the spans of evaluators. */
  readonly projectName: string | null;
  readonly evaluations: AsyncIterable<PlannedEvaluation> | Iterable<PlannedEvaluation>;
  /** Undefined: nothing is posted. */
  readonly poster: ResultPoster | undefined;
  readonly progress: Progress;
  readonly stopOnFirstError?: boolean;
}

/** An evaluation whose ID is a promise, because the server gives it. */
interface FinishedEvaluation extends Omit<ExperimentEvaluationRun, 'id'> {
  readonly id: Promise<string>;
}

/** Runs the evaluators and waits until the server has what they said. Returns the evaluations in the order of the plan. */
export async function runEvaluators(session: WorkSession, plan: EvaluationPlan): Promise<ExperimentEvaluationRun[]> {
  const finished: FinishedEvaluation[] = [];
  await session.pool.run(plan.evaluations, async (planned, place) => {
    const evaluation = await runEvaluator(session, plan, planned);
    finished[place] = evaluation;
    plan.progress.add(evaluation.error !== null);
    if (evaluation.error !== null && plan.stopOnFirstError) session.stop('error');
    await plan.poster?.ready();
  });
  await plan.poster?.flush();
  const evaluations: ExperimentEvaluationRun[] = [];
  for (const evaluation of finished) evaluations.push({ ...evaluation, id: await evaluation.id });
  return evaluations;
}

async function runEvaluator(
  session: WorkSession,
  plan: EvaluationPlan,
  { run, example, evaluator }: PlannedEvaluation,
): Promise<FinishedEvaluation> {
  const { output, traceId: taskTraceId } = run;
  const given = { input: example.input, output, expected: example.output, metadata: example.metadata };
  const ids = { traceId: randomHex(16), spanId: randomHex(8) };
  let startTime = new Date();
  let result: EvaluationResult | null = null;
  let error: string | null = null;
  try {
    const said = await session.pool.attempt(() => {
      startTime = new Date();
      return session.runTimed(() => evaluator.evaluate({ ...structuredClone(given), traceId: taskTraceId }));
    });
    result = toEvaluationResult(said);
  } catch (reason) {
    error = toErrorText(reason);
  }
  const endTime = new Date();
  session.spans.add(plan.poster ? plan.projectName : null, {
    ...ids,
    name: `Evaluation: ${evaluator.name}`,
    kind: 'EVALUATOR',
    startTime,
    endTime,
    error,
    attributes: { ...valueAttributes('input', given), ...(result && valueAttributes('output', toJsonValue(result))) },
  });
  const evaluation = {
    experimentRunId: run.id,
    name: evaluator.name,
    annotatorKind: evaluator.kind,
    startTime,
    endTime,
    result,
    error,
    traceId: ids.traceId,
  };
  const kept = await plan.poster?.add('evaluation', toBody(evaluation));
  return { ...evaluation, id: kept?.posted ?? Promise.resolve(`local_${randomHex(6)}`) };
}

const toBody = ({ result, ...evaluation }: Omit<ExperimentEvaluationRun, 'id'>) => ({
  experiment_run_id: evaluation.experimentRunId,
  name: evaluation.name,
  annotator_kind: evaluation.annotatorKind,
  start_time: evaluation.startTime.toISOString(),
  end_time: evaluation.endTime.toISOString(),
  result: result && {
    score: result.score ?? null,
    label: result.label ?? null,
    explanation: result.explanation ?? null,
  },
  error: evaluation.error,
  metadata: toJsonValue(result?.metadata ?? {}) as Record<string, unknown>,
  trace_id: evaluation.traceId,
});
