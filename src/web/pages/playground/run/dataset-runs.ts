import { credentialsFor } from '../../../components/prompt/model/credentials.ts';
import type { Variant } from '../../../components/prompt/variant/variant.ts';
import { fingerprintOf } from '../../../components/prompt/variant/version-input.ts';
import { send, toFailure } from '../../../data/request.ts';
import { sendWhenAllowed } from '../../../data/send-when-allowed.ts';
import { subscribe } from '../../../data/streams/subscribe.ts';
import { deleteExperiments, stopExperiment } from '../../dataset/experiments/generated/experiments.ts';
import {
  type PlaygroundExperimentData,
  type PlaygroundVariantsVariables,
  playgroundExperiment,
  playgroundVariants,
  resumePlaygroundExperiment,
} from '../generated/runs.ts';
import type { RunBudget } from '../state/draft.ts';
import { queuedCell } from './cell.ts';
import type { CellStore } from './cell-store.ts';
import { toCellEvent } from './payload-events.ts';
import { readRuns } from './read-runs.ts';
import type { RunController } from './run-controller.ts';
import type { RunState } from './run-state.ts';
import { Slices } from './slices.ts';

export interface DatasetColumn {
  readonly variant: Variant;
  readonly input: PlaygroundVariantsVariables['inputs'][number];
}

type Job = NonNullable<Extract<PlaygroundExperimentData['node'], { readonly __typename: 'Experiment' }>['job']>;

/** Pause between two reads of what a job has spent. */
const SPENDING_MS = 1_500;
/** Pause between two reads of a job that no stream follows. */
const POLL_MS = 3_000;

/** Runs over a dataset. The server runs them as jobs, so a stop is a request, and a run goes on without this page. */
export class DatasetRuns {
  readonly #store: CellStore;
  readonly #controller: RunController;
  readonly #leaving = new AbortController();

  constructor(store: CellStore, controller: RunController) {
    this.#store = store;
    this.#controller = controller;
  }

  /** Ends the streams. Jobs of recorded experiments go on. */
  leave(): void {
    this.#leaving.abort();
  }

  /** Runs variants over the same cases, in one stream. */
  async run(columns: readonly DatasetColumn[], caseIds: readonly string[], repetitions: number): Promise<void> {
    for (const { variant } of columns) {
      this.#store.fill(variant.id, caseIds, repetitions, queuedCell(fingerprintOf(variant)));
      this.#controller.setState(variant.id, {
        ...{ isRunning: true, startedAt: Date.now(), problem: undefined, experimentId: undefined },
        ...{ spending: undefined, stopReason: undefined },
      });
    }
    const variables = { inputs: columns.map(({ input }) => input) };
    const watching = new AbortController();
    void this.#watch(
      columns.filter(({ input }) => input.budget).map(({ variant }) => variant.id),
      AbortSignal.any([watching.signal, this.#leaving.signal]),
    );
    const slices = new Slices();
    try {
      for await (const { chatCompletionVariants } of subscribe(playgroundVariants, variables, this.#leaving.signal)) {
        await slices.pause();
        this.#apply(columns[Number(chatCompletionVariants.key)]!.variant.id, chatCompletionVariants.payload);
      }
      this.#end(columns);
    } catch (error) {
      if (!this.#leaving.signal.aborted) this.#end(columns, toFailure(error).message);
    } finally {
      watching.abort();
    }
  }

  /** Reads again and again what variants with a budget have spent. The stream does not say it. */
  async #watch(variantIds: readonly string[], signal: AbortSignal): Promise<void> {
    while (variantIds.length > 0 && !signal.aborted) {
      await pause(SPENDING_MS, signal).catch(() => undefined);
      for (const id of variantIds) if (!signal.aborted) await this.#readJob(id);
    }
  }

  /** Reads what the job of a variant has spent and why it ended. What cannot be read is left as it was. */
  async #readJob(variantId: string): Promise<void> {
    const experimentId = this.#experimentOf(variantId);
    if (experimentId === undefined) return;
    const found = await send(playgroundExperiment, { id: experimentId }, this.#leaving.signal).catch(() => undefined);
    if (found?.node.__typename === 'Experiment' && this.#experimentOf(variantId) === experimentId) {
      this.#controller.setState(variantId, jobState(found.node.job));
    }
  }

  #apply(variantId: string, payload: Parameters<typeof toCellEvent>[0]): void {
    if (payload.__typename === 'ChatCompletionSubscriptionExperiment') {
      this.#controller.setState(variantId, { experimentId: payload.experiment.id });
      return;
    }
    const event = toCellEvent(payload, performance.now());
    if (!event || payload.__typename === 'another') return;
    const { datasetExampleId: caseId, repetitionNumber } = payload;
    if (caseId !== null && repetitionNumber !== null) {
      this.#store.apply({ variantId, caseId, repetition: repetitionNumber }, event);
    } else if (event.type === 'error') this.#controller.setState(variantId, { problem: event.message });
  }

  #end(columns: readonly DatasetColumn[], problem?: string): void {
    for (const { variant } of columns) {
      this.#store.stop(variant.id);
      this.#controller.setState(variant.id, { isRunning: false, ...(problem !== undefined && { problem }) });
      void this.#readJob(variant.id);
    }
  }

  /** Stops a job. What runs ends, and the rest can be resumed. */
  async stop(variantId: string): Promise<void> {
    const experimentId = this.#experimentOf(variantId);
    if (experimentId === undefined) return;
    await this.#request(variantId, 'Stops in a few seconds…', () => send(stopExperiment, { id: experimentId }));
    this.#store.stop(variantId);
    this.#controller.setState(variantId, { isRunning: false });
  }

  /** Continues a stopped job, and follows it by reading its runs. */
  async resume(variant: Variant, budget: RunBudget | undefined): Promise<void> {
    const experimentId = this.#experimentOf(variant.id);
    if (experimentId === undefined) return;
    const credentials = credentialsFor(variant.model.provider);
    const isResumed = await this.#request(variant.id, 'Resumes in a few seconds…', () =>
      send(resumePlaygroundExperiment, {
        ...{ id: experimentId, budget: budget ?? {} },
        credentials: credentials.length > 0 ? credentials : null,
      }),
    );
    if (isResumed) await this.follow(variant, experimentId, true);
  }

  /** Deletes the experiments of variants, which stops their jobs. */
  async delete(variantIds: readonly string[]): Promise<void> {
    const ids = variantIds.flatMap((id) => this.#experimentOf(id) ?? []);
    if (ids.length > 0) await send(deleteExperiments, { ids });
  }

  /**
   * Shows the runs of a stored experiment, and reads them again while its job runs.
   *
   * @param isRunning Whether its job is known to run. Default false.
   */
  async follow(variant: Variant, experimentId: string, isRunning = false): Promise<void> {
    const { signal } = this.#leaving;
    const fingerprint = fingerprintOf(variant);
    const slices = new Slices();
    this.#controller.setState(variant.id, {
      ...{ isRunning, startedAt: Date.now(), experimentId, problem: undefined, stopReason: undefined },
    });
    try {
      for (;;) {
        const { node } = await send(playgroundExperiment, { id: experimentId }, signal);
        const job = node.__typename === 'Experiment' ? node.job : null;
        const goesOn = job?.status === 'RUNNING';
        this.#controller.setState(variant.id, { ...jobState(job), ...(goesOn && { isRunning: true }) });
        for await (const runs of readRuns(experimentId, fingerprint, signal)) {
          await slices.pause();
          for (const { caseId, repetition, cell } of runs) {
            this.#store.set({ variantId: variant.id, caseId, repetition }, cell);
          }
        }
        if (!goesOn) break;
        await pause(POLL_MS, signal);
      }
      this.#controller.setState(variant.id, { isRunning: false });
    } catch (error) {
      if (signal.aborted) return;
      this.#controller.setState(variant.id, { isRunning: false, problem: toFailure(error).message });
    }
  }

  #experimentOf(variantId: string): string | undefined {
    return this.#controller.states().get(variantId)?.experimentId;
  }

  /** @param waiting Shown while the server makes the page wait. */
  async #request(variantId: string, waiting: string, request: () => Promise<unknown>): Promise<boolean> {
    try {
      await sendWhenAllowed(request, () => this.#controller.setState(variantId, { waiting }));
      return true;
    } catch (error) {
      this.#controller.setState(variantId, { problem: toFailure(error).message });
      return false;
    } finally {
      this.#controller.setState(variantId, { waiting: undefined });
    }
  }
}

/** What a job says about its spending and its end. */
const jobState = (job: Job | null): Partial<RunState> =>
  job === null ? {} : { spending: job.budget, stopReason: job.stopReason ?? undefined };

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        reject(signal.reason);
      },
      { once: true },
    );
  });
