import { availableParallelism } from 'node:os';
import { Registry } from 'prom-client';
import { ByteBudget } from './base/byte-budget.ts';
import type { Log } from './base/log.ts';
import { readMachineMemory } from './base/memory/machine-memory.ts';
import { registerProcessMetrics } from './base/process-metrics.ts';
import type { Config } from './config/config.ts';
import './model/limits/relations.ts';
import type { JudgeFile } from './model/evaluators/judge-file.ts';
import { type MemoryPlan, planMemory } from './model/memory-plan.ts';
import type { PriceFile } from './model/models/price-file.ts';
import { readJudges } from './read-judges.ts';
import { readModelPrices } from './read-model-prices.ts';
import { createRootUrl, type RootUrl } from './root-url.ts';

/** Settings, log, metrics and budgets that every stage of the composition uses. Nothing in it must be closed. */
export interface Runtime {
  readonly config: Config;
  readonly log: Log;
  readonly registry: Registry;
  /** Called before each scrape. */
  readonly measureProcess: () => Promise<void>;
  readonly memory: MemoryPlan;
  /** True to start the threads of the ingest pipeline at its first request, as most servers of tests have none. */
  readonly decodesLazily?: boolean;
  /** Bodies in memory, over HTTP, gRPC and in the ingest pipeline together. */
  readonly bodyBudget: ByteBudget;
  readonly priceFile: PriceFile;
  /** Ready-made LLM judges. */
  readonly judges: readonly JudgeFile[];
  /** For links outside of responses. */
  readonly rootUrl: RootUrl;
  /** Something failed after which nothing may be acknowledged any more: the process must end. */
  readonly onFatal: (error: Error) => void;
}

export type RuntimeOptions = Pick<Runtime, 'config' | 'log' | 'onFatal'>;

/** @throws {Error} when the price file or a judge cannot be read; nothing is created then */
export async function prepareRuntime(options: RuntimeOptions): Promise<Runtime> {
  const [priceFile, judges] = await Promise.all([readModelPrices(), readJudges()]);
  const registry = new Registry();
  const measureProcess = registerProcessMetrics(registry);
  const machine = { ...readMachineMemory(), coreCount: availableParallelism() };
  const memory = planMemory({ ...machine, storeBytes: options.config.spans.memoryBytes });
  options.log.debug({ ...machine, ...memory }, 'Planned the memory budgets');
  const rootUrl = createRootUrl(options.config);
  const bodyBudget = new ByteBudget(memory.bodyBytesMax);
  return { ...options, registry, measureProcess, memory, bodyBudget, priceFile, judges, rootUrl };
}
