import type { DatasetExample } from '../datasets/datasets.ts';
import { toJsonValue } from '../http/json-value.ts';
import { type ExperimentEvaluator, toEvaluationResult } from './evaluators.ts';
import type { EvaluationResult, ExperimentEvaluationRun, ExperimentRun } from './experiment-types.ts';
import type { Progress } from './logger.ts';
import type { ResultPoster } from './post-results.ts';
import { toErrorText } from './run-tasks.ts';
import { randomHex } from './span-sender.ts';
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
interface FinishedEvaluation {
  readonly evaluation: Omit<ExperimentEvaluationRun, 'id'>;
  readonly id: Promise<string>;
}

/** Runs the evaluators and waits until the server has what they said. Returns the evaluations in the order of the plan. */
export async function runEvaluators(session: WorkSession, plan: EvaluationPlan): Promise<ExperimentEvaluationRun[]> {
  const finished: FinishedEvaluation[] = [];
  await session.pool.run(plan.evaluations, async (planned, place) => {
    const one = await runEvaluator(session, plan, planned);
    const isFailed = one.evaluation.error !== null;
    finished[place] = one;
    plan.progress.add(isFailed ? `${planned.evaluator.name}: ${one.evaluation.error}` : null);
    if (isFailed && plan.stopOnFirstError) session.stop('error');
    await plan.poster?.ready();
  });
  await plan.poster?.flush();
  const evaluations: ExperimentEvaluationRun[] = [];
  for (const { evaluation, id } of finished) evaluations.push(withId(evaluation, await id));
  return evaluations;
}

async function runEvaluator(
  session: WorkSession,
  plan: EvaluationPlan,
  { run, example, evaluator }: PlannedEvaluation,
): Promise<FinishedEvaluation> {
  const { output, traceId: taskTraceId } = run;
  const given = { input: example.input, output, expected: example.output, metadata: example.metadata };
  const traceId = randomHex(16);
  const spanId = randomHex(8);
  let startTime = new Date();
  let result: EvaluationResult | null = null;
  let error: string | null = null;
  try {
    const said = await session.pool.attempt(() => {
      startTime = new Date();
      const { input, expected, metadata, output: outputCopy } = structuredClone(given);
      return session.runTimed(() =>
        evaluator.evaluate({ input, output: outputCopy, expected, metadata, traceId: taskTraceId }),
      );
    });
    result = toEvaluationResult(said);
  } catch (reason) {
    error = toErrorText(reason);
  }
  const endTime = new Date();
  session.spans.add(plan.poster ? plan.projectName : null, {
    traceId,
    spanId,
    name: `Evaluation: ${evaluator.name}`,
    kind: 'EVALUATOR',
    startTime,
    endTime,
    error,
    input: given,
    output: result ? toJsonValue(result) : undefined,
  });
  const evaluation = {
    experimentRunId: run.id,
    name: evaluator.name,
    annotatorKind: evaluator.kind,
    startTime,
    endTime,
    result,
    error,
    traceId,
  };
  const kept = await plan.poster?.add('evaluation', toBody(evaluation));
  return { evaluation, id: kept?.posted ?? Promise.resolve(`local_${randomHex(6)}`) };
}

/** Lists the fields, because an object that is spread from another takes several times the memory. */
const withId = (evaluation: FinishedEvaluation['evaluation'], id: string): ExperimentEvaluationRun => ({
  id,
  experimentRunId: evaluation.experimentRunId,
  name: evaluation.name,
  annotatorKind: evaluation.annotatorKind,
  startTime: evaluation.startTime,
  endTime: evaluation.endTime,
  result: evaluation.result,
  error: evaluation.error,
  traceId: evaluation.traceId,
});

const toBody = (evaluation: FinishedEvaluation['evaluation']) => ({
  experiment_run_id: evaluation.experimentRunId,
  name: evaluation.name,
  annotator_kind: evaluation.annotatorKind,
  start_time: evaluation.startTime.toISOString(),
  end_time: evaluation.endTime.toISOString(),
  result: evaluation.result && {
    score: evaluation.result.score ?? null,
    label: evaluation.result.label ?? null,
    explanation: evaluation.result.explanation ?? null,
  },
  error: evaluation.error,
  metadata: toJsonValue(evaluation.result?.metadata ?? {}) as Record<string, unknown>,
  trace_id: evaluation.traceId,
});
