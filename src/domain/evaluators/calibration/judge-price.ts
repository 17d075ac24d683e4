import { nowUnixNano } from '../../../base/now-unix-nano.ts';
import { COMPLETION_TOKEN_TYPE, PROMPT_TOKEN_TYPE } from '../../../model/models/generative-model.ts';
import { MODEL_VENDORS } from '../../../model/models/model-vendors.ts';
import { PriceTable } from '../../../model/models/price-table.ts';
import type { Ports } from '../../ports.ts';
import type { Runnable } from '../run/runnable.ts';

/** US dollars of a number of tokens. Null when the price is unknown; zero for evaluators without a model. */
export type JudgePrice = (tokens: {
  readonly promptTokens: number;
  readonly completionTokens: number;
}) => number | null;

/** Finds the current price of an evaluator's model. */
export async function findJudgePrice({ models }: Pick<Ports, 'models'>, runnable: Runnable): Promise<JudgePrice> {
  if (runnable.kind !== 'LLM') return () => 0;
  const { modelProvider, modelName } = runnable.prompt;
  const table = new PriceTable(await models.list());
  const model = table.find(modelName, MODEL_VENDORS[modelProvider].providerWord, nowUnixNano());
  if (!model) return () => null;
  const priceOf = (tokenType: string, isPrompt: boolean) =>
    model.prices.find((price) => price.tokenType === tokenType && price.isPrompt === isPrompt)?.perToken ?? 0;
  const prompt = priceOf(PROMPT_TOKEN_TYPE, true);
  const completion = priceOf(COMPLETION_TOKEN_TYPE, false);
  return ({ promptTokens, completionTokens }) => promptTokens * prompt + completionTokens * completion;
}
