import { type ExactJson, toExactJsonText } from '../../../base/exact-json.ts';
import { parseExactJson } from '../../../base/parse-exact-json.ts';
import { SpandrelError } from '../../../model/errors.ts';
import type { Evaluation } from '../../../model/evaluators/evaluation.ts';
import type { NewExperimentEvaluation } from '../../../model/experiment.ts';
import type { ExperimentJob } from '../../../model/experiment-job.ts';
import { ModelError } from '../../../llm/contract/model-error.ts';
import { annotationNames } from '../../evaluators/run/annotation-names.ts';
import { findJudgeModel, type JudgeModel } from '../../evaluators/run/judge-model.ts';
import { loadRunnable } from '../../evaluators/run/load-runnable.ts';
import { runEvaluator } from '../../evaluators/run/run-evaluator.ts';
import type { Runnable } from '../../evaluators/run/runnable.ts';
import type { CallCosts } from '../../playground/call-costs.ts';
import type { Ports } from '../../ports.ts';
import { toRetry, typeOf } from './call-failure.ts';
import type { SentSecrets } from './job-runner.ts';
import type { AttemptOptions, EvaluationOutcome, EvaluationTarget, OpenEvaluator } from './job-work.ts';
import { toMicros } from './open-task.ts';
import { readExample } from './task-values.ts';

/** Loads the evaluators that are attached to a job. One that has been deleted is absent. */
export async function openEvaluators(
  ports: Ports,
  { rowId }: ExperimentJob,
  secrets: SentSecrets,
  costs: CallCosts,
): Promise<OpenEvaluator[]> {
  const attached = (await ports.evaluators.findOfExperiments([rowId])).get(rowId) ?? [];
  const opened = await Promise.all(attached.map((evaluator) => openEvaluator(ports, evaluator, secrets, costs)));
  return opened.flatMap((evaluator) => evaluator ?? []);
}

async function openEvaluator(
  ports: Ports,
  rowId: number,
  secrets: SentSecrets,
  costs: CallCosts,
): Promise<OpenEvaluator | undefined> {
  try {
    const runnable = await loadRunnable(ports, rowId);
    const model = await findJudgeModel(ports, runnable, secrets);
    return {
      rowId,
      names: annotationNames(runnable.outputConfigs),
      rateLimitKey: model && (model.rateLimitKey ?? `evaluator ${rowId}`),
      run: (target, options) => evaluate(ports, { runnable, model, secrets, costs }, target, options),
    };
  } catch (error) {
    if (error instanceof SpandrelError && error.kind === 'notFound') return undefined;
    throw error;
  }
}

interface Judge {
  readonly runnable: Runnable;
  readonly model: JudgeModel;
  readonly secrets: SentSecrets;
  readonly costs: CallCosts;
}

async function evaluate(
  ports: Ports,
  { runnable, model, secrets, costs }: Judge,
  { run, example }: EvaluationTarget,
  { signal, onLimits }: AttemptOptions,
): Promise<EvaluationOutcome> {
  const output = parseExactJson(run.output, { depthMax: Number.POSITIVE_INFINITY });
  const context = { ...readExample(example), output };
  try {
    const { evaluations, retry, receipt, usage } = await runEvaluator(ports, runnable, context, {
      ...{ signal, onLimits },
      credentials: secrets.credentials,
      projectName: runnable.projectName,
    });
    const isFailed = evaluations.some(({ error }) => error !== null);
    const tokens = { prompt: usage.promptTokens, completion: usage.completionTokens };
    return {
      evaluations: evaluations.map(toStored),
      retry: retry && toRetry(retry.reason, retry.afterMs),
      errorType: isFailed ? (retry ? typeOf(retry.reason) : 'EvaluationError') : null,
      callCount: usage.callCount,
      ...(model && usage.callCount > 0 ? await costs.of(model.name, model.provider, tokens) : { cost: 0 }),
      receipt,
    };
  } catch (error) {
    // It was stopped. Nothing is stored.
    if (!(error instanceof ModelError)) throw error;
    return { evaluations: [], retry: null, errorType: typeOf(error.kind), callCount: 0, cost: 0, receipt: null };
  }
}

const toStored = ({ startTime, endTime, metadata, ...rest }: Evaluation): NewExperimentEvaluation => ({
  ...rest,
  metadata: toExactJsonText(metadata satisfies ExactJson),
  startMicros: toMicros(startTime),
  endMicros: toMicros(endTime),
});
