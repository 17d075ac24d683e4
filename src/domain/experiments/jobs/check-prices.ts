import { nowUnixNano } from '../../../base/now-unix-nano.ts';
import { SpandrelError } from '../../../model/errors.ts';
import type { JobBudget } from '../../../model/experiment-job.ts';
import { PriceTable } from '../../../model/models/price-table.ts';
import type { RequestCredentials } from '../../../model/playground/chat-task.ts';
import type { ChatModel } from '../../../llm/contract/chat-model.ts';
import { findJudgeModel } from '../../evaluators/run/judge-model.ts';
import { loadRunnable } from '../../evaluators/run/load-runnable.ts';
import type { Ports } from '../../ports.ts';

interface CalledModels {
  /** Undefined when the task is not run, or cannot be: the job says why. */
  readonly task: Pick<ChatModel, 'modelName' | 'provider'> | undefined;
  readonly datasetEvaluatorRowIds: readonly number[];
  readonly credentials: RequestCredentials;
}

/**
 * Checks that all models of a job have prices if its costs are limited. A limit that does not count a model would protect from
 * nothing. A model that loses its price later, or that an evaluator adds later, stops the job at its first call.
 *
 * @throws {SpandrelError} `QUERY_INVALID` with the names of models without a price; as `loadRunnable`
 */
export async function checkPrices(
  ports: Ports,
  { costMax }: JobBudget,
  { task, datasetEvaluatorRowIds, credentials }: CalledModels,
): Promise<void> {
  if (costMax === null) return;
  const judges = await Promise.all(
    datasetEvaluatorRowIds.map(async (rowId) =>
      findJudgeModel(ports, await loadRunnable(ports, rowId), { credentials }),
    ),
  );
  const table = new PriceTable(await ports.models.list());
  const called = [
    ...(task ? [{ name: task.modelName, provider: task.provider }] : []),
    // A model that cannot be opened is never called: each evaluation has the reason.
    ...judges.flatMap((judge) => (judge?.rateLimitKey ? [judge] : [])),
  ];
  const unpriced = called.filter(({ name, provider }) => !table.find(name, provider, nowUnixNano()));
  if (unpriced.length === 0) return;
  const names = [...new Set(unpriced.map(({ name, provider }) => `${name} (${provider})`))].join(', ');
  throw new SpandrelError(
    'QUERY_INVALID',
    `Costs can only be limited for models with a price, and these have none: ${names}. Add their prices, or limit the calls.`,
  );
}
