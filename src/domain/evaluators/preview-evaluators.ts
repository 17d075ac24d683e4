import type { ExactJsonObject } from '../../base/exact-json.ts';
import { limitTime } from '../../base/limit-time.ts';
import { SpandrelError } from '../../model/errors.ts';
import type { Evaluation } from '../../model/evaluators/evaluation.ts';
import type { BuiltInEvaluator, InputMapping, OutputConfig } from '../../model/evaluators/evaluator.ts';
import { EVALUATOR_PREVIEW_COUNT_MAX, EVALUATOR_PREVIEW_MS_MAX } from '../../model/limits/evaluators.ts';
import type { RequestCredentials } from '../../model/playground/chat-task.ts';
import type { PromptContent } from '../../model/prompts/prompt.ts';
import { RowError } from '../../model/row-error.ts';
import { checkLlmOutputs } from './check-outputs.ts';
import { codeUnknown } from './code/change-code-evaluators.ts';
import { type InlineCode, type LoadCodePorts, loadCode, toRunnableCode } from './code/load-code.ts';
import { invalid } from './input-mapping.ts';
import { toRunnableBuiltIn } from './run/load-runnable.ts';
import { type EvaluatorRunPorts, evaluateValues } from './run/run-evaluator.ts';
import type { Runnable } from './run/runnable.ts';

/** An evaluator that is tried on a context. */
export interface EvaluatorPreview {
  readonly evaluator: PreviewedEvaluator;
  /** The values into which paths of the mapping lead. */
  readonly context: ExactJsonObject;
  readonly inputMapping: InputMapping;
}

export type PreviewedEvaluator =
  | { readonly kind: 'BUILTIN'; readonly rowId: number }
  | { readonly kind: 'CODE'; readonly rowId: number }
  /** A code evaluator that is not stored. */
  | ({ readonly kind: 'INLINE_CODE' } & InlineCode)
  /** An LLM evaluator that is not stored. */
  | {
      readonly kind: 'LLM';
      readonly name: string;
      readonly prompt: PromptContent;
      readonly outputConfigs: readonly OutputConfig[];
    };

interface PreviewOptions {
  readonly credentials: RequestCredentials;
  readonly signal: AbortSignal;
}

/**
 * Runs evaluators on given contexts one after another and stores nothing. A failure is an evaluation with an error.
 *
 * @returns an evaluation per output of each evaluator
 * @throws {SpandrelError} `EVALUATOR_NOT_FOUND`, `EVALUATOR_INVALID` before any of them runs
 */
export async function previewEvaluators(
  ports: LoadCodePorts & EvaluatorRunPorts,
  previews: readonly EvaluatorPreview[],
  { credentials, signal }: PreviewOptions,
): Promise<Evaluation[]> {
  if (previews.length > EVALUATOR_PREVIEW_COUNT_MAX) {
    invalid(`One request runs at most ${EVALUATOR_PREVIEW_COUNT_MAX} evaluators, received ${previews.length}`);
  }
  const rowIds = previews.flatMap(({ evaluator }) => (evaluator.kind === 'BUILTIN' ? evaluator.rowId : []));
  const builtIns = await ports.evaluators.findBuiltIn([...new Set(rowIds)]);
  const runnables: Awaited<ReturnType<typeof toRunnable>>[] = [];
  for (const preview of previews) runnables.push(await toRunnable(ports, preview, builtIns));
  return limitTime(EVALUATOR_PREVIEW_MS_MAX, signal, async (limited) => {
    const evaluations: Evaluation[] = [];
    for (const { runnable, context } of runnables) {
      const outcome = await evaluateValues(ports, runnable, context, {
        ...{ credentials, signal: limited, projectName: null },
      }).catch((error: unknown) => {
        if (!limited.aborted || signal.aborted) throw error;
        throw new SpandrelError(
          'QUERY_TIMED_OUT',
          `The previews took longer than ${EVALUATOR_PREVIEW_MS_MAX / 1_000} s, the maximum; run fewer at a time`,
        );
      });
      evaluations.push(...outcome.evaluations);
    }
    return evaluations;
  });
}

async function toRunnable(
  ports: LoadCodePorts & EvaluatorRunPorts,
  { evaluator, context, inputMapping }: EvaluatorPreview,
  builtIns: ReadonlyMap<number, BuiltInEvaluator>,
): Promise<{ readonly runnable: Runnable; readonly context: ExactJsonObject }> {
  if (evaluator.kind === 'INLINE_CODE')
    return { runnable: await toRunnableCode(ports, evaluator, inputMapping), context };
  if (evaluator.kind === 'CODE') {
    const found = await loadCode(ports, evaluator.rowId, { inputMapping, outputConfigs: null, projectName: null });
    return { runnable: found ?? codeUnknown(evaluator.rowId), context };
  }
  if (evaluator.kind === 'BUILTIN') {
    const found = builtIns.get(evaluator.rowId) ?? unknownBuiltIn(evaluator.rowId);
    return {
      runnable: toRunnableBuiltIn(found, { inputMapping, outputConfigs: null, projectName: null }),
      context,
    };
  }
  const { name, prompt, outputConfigs } = evaluator;
  if (outputConfigs.some(({ type }) => type !== 'CATEGORICAL')) {
    invalid('Only categorical annotation configs are supported for LLM evaluator previews');
  }
  checkLlmOutputs(outputConfigs);
  return {
    runnable: {
      kind: 'LLM',
      ...{ name, promptName: name, promptVersionRowId: null, prompt, inputMapping, outputConfigs, projectName: null },
    },
    context,
  };
}

function unknownBuiltIn(rowId: number): never {
  throw new RowError(
    'EVALUATOR_NOT_FOUND',
    'BuiltInEvaluator',
    [rowId],
    (id) => `Built-in evaluator with id ${id} not found`,
  );
}
