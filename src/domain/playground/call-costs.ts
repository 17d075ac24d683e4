import { nowUnixNano } from '../../base/now-unix-nano.ts';
import { JOB_PRICES_MS } from '../../model/limits/jobs.ts';
import { PriceTable } from '../../model/models/price-table.ts';
import { computeCost, PICO_PER_DOLLAR, type TokenCounts } from '../../model/models/span-cost.ts';
import type { TokenUsage } from '../../llm/contract/chat-model.ts';
import type { Ports } from '../ports.ts';

export interface CallCost {
  readonly cost: number;
  readonly unpricedModel?: string;
}

/** Prices calls as the span store prices their spans. */
export class CallCosts {
  readonly #models: Pick<Ports['models'], 'list'>;
  #table: Promise<PriceTable> | undefined;
  #readAt = 0;

  constructor(models: Pick<Ports['models'], 'list'>) {
    this.#models = models;
  }

  /** Cost of a call in US dollars. It is 0 for a model without a price, which is named then. */
  async of(model: string, provider: string, usage: TokenUsage): Promise<CallCost> {
    const price = (await this.#prices()).find(model, provider, nowUnixNano());
    if (!price) return { cost: 0, unpricedModel: model };
    const cost = computeCost(toCounts(usage), price);
    return { cost: ((cost?.promptPico ?? 0) + (cost?.completionPico ?? 0)) / PICO_PER_DOLLAR };
  }

  #prices(): Promise<PriceTable> {
    if (this.#table && Date.now() - this.#readAt < JOB_PRICES_MS) return this.#table;
    this.#readAt = Date.now();
    const table = this.#models.list().then((models) => new PriceTable(models));
    table.catch(() => {
      this.#table = undefined;
    });
    this.#table = table;
    return table;
  }
}

function toCounts(usage: TokenUsage): TokenCounts {
  const toMap = (counts: Readonly<Record<string, number | undefined>>) =>
    new Map(Object.entries(counts).flatMap(([type, count]) => (count ? [[type, count] as const] : [])));
  return {
    prompt: usage.prompt,
    completion: usage.completion,
    total: usage.total,
    promptDetails: toMap({
      cache_read: usage.promptCacheRead,
      cache_write: usage.promptCacheWrite,
      audio: usage.promptAudio,
    }),
    completionDetails: toMap({ reasoning: usage.completionReasoning, audio: usage.completionAudio }),
  };
}
