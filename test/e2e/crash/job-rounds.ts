import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import {
  bindEvaluators,
  checkRuns,
  createDataset,
  inputOf,
  isJudgeCall,
  jobEnded,
  readExperiment,
  readRuns,
  startRun,
} from '../jobs/job-client.ts';
import { SeededRandom } from '../../fixtures/seeded-random.ts';
import { startVendorEndpoint, type VendorEndpoint } from '../../vendor-endpoint/vendor-endpoint.ts';
import { commandLine } from '../process-tree.ts';
import { listTraces } from '../rest.ts';
import { makeDataDir, removeDataDir, type ServerProcess, startServer } from '../server-process.ts';

const EXAMPLE_COUNT = 40;
const REPETITIONS = 2;
const RUN_COUNT = EXAMPLE_COUNT * REPETITIONS;
const CONCURRENCY = 10;
const LATENCY_MS = 30;
const EVALUATIONS = ['contains', 'quality'];

export interface JobCrashOptions {
  readonly roundCount: number;
  readonly seed: number;
  /** A line a round. */
  readonly report: (line: string) => void;
}

export interface JobCrashSummary {
  readonly runCount: number;
  readonly killCount: number;
  /** Calls that were made again. */
  readonly repeatedCallCount: number;
  /** Longest time from the first 200 of `/readyz` to the first call of a resumed job. */
  readonly resumeMsMax: number;
}

/**
 * Rounds on one data directory: a job of tasks, a built-in evaluator and a judge runs, the server is killed when the endpoint has
 * received some number of its calls, in a third of the rounds once more after its restart, and the job must end with every run,
 * trace and evaluation once.
 *
 * @throws Error naming the seed and the directory, which is then kept.
 */
export async function runJobCrashRounds({ roundCount, seed, report }: JobCrashOptions): Promise<JobCrashSummary> {
  const endpoint = await startVendorEndpoint({ latencyMs: LATENCY_MS, callsKept: 100_000 });
  const crashes = new JobCrashes(endpoint, await makeDataDir());
  const random = new SeededRandom(seed);
  try {
    await crashes.start();
    for (let round = 0; round < roundCount; round++) report(`round ${round}: ${await crashes.round(round, random)}`);
    await crashes.stop();
  } catch (error) {
    const kept = `seed ${seed}, directory kept: ${crashes.dataDir}, last output of the server:\n${crashes.lastOutput()}`;
    await crashes.abandon();
    throw new Error(`${error instanceof Error ? error.message : String(error)}\n${kept}`, { cause: error });
  } finally {
    await endpoint.close();
  }
  await removeDataDir(crashes.dataDir);
  return crashes.summary;
}

class JobCrashes {
  readonly dataDir: string;
  readonly #endpoint: VendorEndpoint;
  #server: ServerProcess | undefined;
  /** Processes that outlived their server; the next start deals with them. */
  readonly #leftBehind: number[] = [];
  #summary: JobCrashSummary = { runCount: 0, killCount: 0, repeatedCallCount: 0, resumeMsMax: 0 };

  constructor(endpoint: VendorEndpoint, dataDir: string) {
    this.#endpoint = endpoint;
    this.dataDir = dataDir;
  }

  get summary(): JobCrashSummary {
    return this.#summary;
  }

  async round(round: number, random: SeededRandom): Promise<string> {
    const url = this.#url();
    const datasetId = await createDataset(url, `crash ${round} of ${process.pid}`, EXAMPLE_COUNT);
    const evaluators = await bindEvaluators(url, datasetId);
    this.#endpoint.clear();
    const more = { repetitions: REPETITIONS, maxConcurrency: CONCURRENCY, evaluators };
    const { experimentId } = await startRun(url, inputOf(datasetId, `round ${round}, {{n}}`, more));

    const killAts = [random.below(2 * RUN_COUNT)];
    if (random.chance(0.3)) killAts.push(random.below(2 * RUN_COUNT));
    const resumeMs: number[] = [];
    for (const killAt of killAts.sort((a, b) => a - b)) {
      await this.#reached(killAt, experimentId);
      await delay(random.below(LATENCY_MS));
      const isAlone = random.chance(0.3);
      await this.#kill(isAlone);
      const madeCount = this.#endpoint.calls.length;
      await this.start();
      const readyAt = performance.now();
      const isResumed = await this.#reached(madeCount + 1, experimentId);
      if (isResumed) resumeMs.push(performance.now() - readyAt);
    }
    const job = await jobEnded(this.#url(), experimentId);
    assert.equal(job.status, 'COMPLETED', JSON.stringify(job));
    return this.#verify(experimentId, { killCount: killAts.length, killAts, resumeMs });
  }

  async #verify(
    experimentId: string,
    { killCount, killAts, resumeMs }: { killCount: number; killAts: readonly number[]; resumeMs: readonly number[] },
  ): Promise<string> {
    checkRuns(await readRuns(this.#url(), experimentId), { count: RUN_COUNT, evaluationNames: EVALUATIONS });
    const { calls } = this.#endpoint;
    const taskCallCount = calls.filter((call) => !isJudgeCall(call)).length;
    const repeatedCount = calls.length - 2 * RUN_COUNT;
    assert.ok(repeatedCount >= 0, `${calls.length} calls for ${2 * RUN_COUNT}`);
    // A call is in flight until its outcome is stored, so these are all that a kill may repeat.
    assert.ok(
      repeatedCount <= killCount * CONCURRENCY,
      `${repeatedCount} calls were repeated after ${killCount} kills`,
    );
    const byBody = new Map<string, number>();
    for (const { bodyText } of calls) byBody.set(bodyText, (byBody.get(bodyText) ?? 0) + 1);
    assert.ok(
      [...byBody.values()].every((count) => count >= REPETITIONS),
      'no call was left out',
    );
    const { projectName } = await readExperiment(this.#url(), experimentId);
    const traceCount = (await listTraces(this.#url(), projectName)).length;
    assert.ok(traceCount >= RUN_COUNT && traceCount <= taskCallCount, `${traceCount} traces of ${taskCallCount} calls`);
    const { summary } = this;
    this.#summary = {
      runCount: summary.runCount + RUN_COUNT,
      killCount: summary.killCount + killCount,
      repeatedCallCount: summary.repeatedCallCount + repeatedCount,
      resumeMsMax: Math.max(summary.resumeMsMax, ...resumeMs),
    };
    const resumed = resumeMs.map((ms) => `${Math.round(ms)} ms`).join(', ') || 'nothing left to do';
    return `killed at call ${killAts.join(' and ')} of ${2 * RUN_COUNT}; running again after ${resumed}; ${repeatedCount} calls repeated, ${traceCount - RUN_COUNT} traces of repeated calls`;
  }

  /** Resolves with true when the endpoint has received so many calls, and with false when the job has ended before. */
  async #reached(callCount: number, experimentId: string): Promise<boolean> {
    for (let attempt = 0; this.#endpoint.calls.length < callCount; attempt++) {
      if (attempt % 100 === 99) {
        const { status } = (await readExperiment(this.#url(), experimentId)).job;
        if (status !== 'RUNNING') return false;
      }
      await delay(5);
    }
    return true;
  }

  async #kill(isAlone: boolean): Promise<void> {
    if (isAlone) this.#leftBehind.push(...((await this.#server?.killServerAlone()) ?? []));
    else await this.#server?.kill9();
  }

  async start(): Promise<void> {
    this.#server = await startServer({
      dataDir: this.dataDir,
      env: { OPENAI_API_KEY: 'sk-test', OPENAI_BASE_URL: `${this.#endpoint.url}/v1` },
    });
  }

  async stop(): Promise<void> {
    await this.#server?.stop();
    this.#killLeftBehind();
  }

  async abandon(): Promise<void> {
    await this.#server?.kill9();
    this.#killLeftBehind();
  }

  lastOutput(): string {
    return this.#server?.output().slice(-4_000) ?? '';
  }

  #url(): string {
    return this.#server?.url ?? '';
  }

  #killLeftBehind(): void {
    for (const pid of this.#leftBehind) if (commandLine(pid).includes(this.dataDir)) process.kill(pid, 'SIGKILL');
  }
}
