import { watch } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { SeededRandom } from '../../fixtures/seeded-random.ts';
import { type OtlpSender, openGrpcSender, openHttpSender } from '../otlp-sender.ts';
import { commandLine } from '../process-tree.ts';
import { eventually, spansOnceThere } from '../rest.ts';
import {
  freePort,
  makeDataDir,
  removeDataDir,
  type ServerProcess,
  startServer,
  waitUntilReady,
} from '../server-process.ts';
import { type Ledger, newLedger, newRequestPair } from './ledger.ts';
import { type Load, sendUntilAcknowledged, startLoad } from './load.ts';
import { MetadataLedger, startMetadataLoad } from './metadata-load.ts';
import { verify } from './verify.ts';

/** How a round ends the server. */
export const ENDINGS = [
  /** SIGKILL to the server and its Postgres while spans arrive. */
  'load',
  /** The same, then again once or twice at a random moment of the start that follows. */
  'startup',
  /** SIGKILL while nothing arrives: the store is between applying and checkpointing. */
  'idle',
  /** SIGKILL to the server alone; its Postgres is left behind for the next start to deal with. */
  'orphan',
  /** SIGTERM while spans arrive. */
  'term',
  /** SIGKILL in the middle of the checkpoint that SIGTERM leads to. */
  'checkpoint',
  /** SIGKILL to Postgres only, sometimes again during recovery. The server keeps running and restarts it. */
  'postgres',
  /** SIGKILL to Postgres, and then to both while Postgres restarts. */
  'both',
] as const;
export type Ending = (typeof ENDINGS)[number];

export interface CrashOptions {
  readonly roundCount: number;
  readonly seed: number;
  /** A line a round. */
  readonly report: (line: string) => void;
}

export interface CrashSummary {
  readonly acknowledgedSpanCount: number;
  readonly storedSpanCount: number;
  /** Acknowledged projects, datasets and annotation configs. */
  readonly acknowledgedRowCount: number;
  readonly killCount: number;
}

/** The first rounds take each ending once; later ones by chance, mostly under load. */
const WEIGHTED_ENDINGS: readonly Ending[] = [
  'load',
  'load',
  'load',
  'startup',
  'startup',
  'idle',
  'orphan',
  'term',
  'checkpoint',
  'checkpoint',
  'postgres',
  'postgres',
  'postgres',
  'both',
  'both',
];
/** The end comes before this many requests are on their way; a round sends a few more. */
const SENT_REQUEST_COUNT = 120;
const LOAD_MS_MAX = 5_000;
/** A checkpoint of these small stores is at least about this many writes; a kill falls on any of them. */
const CHECKPOINT_EVENT_COUNT = 24;
/** Every so many rounds all spans of the directory are read, not only the round's. */
const FULL_READ_ROUNDS = 8;

/**
 * Rounds on one data directory, which grows: spans arrive over HTTP and gRPC, the server is ended, started again, and
 * everything is read back by REST and held against what was acknowledged.
 *
 * @throws Error naming the seed and the directory, which is then kept.
 */
export async function runCrashRounds({ roundCount, seed, report }: CrashOptions): Promise<CrashSummary> {
  const run = new CrashRun(seed, await makeDataDir(), { http: await freePort(), grpc: await freePort() });
  const random = new SeededRandom(seed);
  try {
    await run.start();
    for (let round = 0; round < roundCount; round++) {
      const ending = round < ENDINGS.length ? ENDINGS[round]! : random.pick(WEIGHTED_ENDINGS);
      const isFullRead = round === roundCount - 1 || round % FULL_READ_ROUNDS === FULL_READ_ROUNDS - 1;
      report(`round ${round} (${ending}): ${await run.round({ round, ending, random, isFullRead })}`);
    }
    await run.stop();
  } catch (error) {
    const kept = `seed ${seed}, directory kept: ${run.dataDir}, last output of the server:\n${run.lastOutput()}`;
    await run.abandon();
    throw new Error(`${error instanceof Error ? error.message : String(error)}\n${kept}`, { cause: error });
  }
  await removeDataDir(run.dataDir);
  return run.summary();
}

class CrashRun {
  readonly dataDir: string;
  readonly #seed: number;
  readonly #ports: { readonly http: number; readonly grpc: number };
  readonly #ledger: Ledger = newLedger();
  readonly #metadata = new MetadataLedger();
  readonly #senders: { readonly http: OtlpSender; readonly grpc: OtlpSender };
  #server: ServerProcess | undefined;
  /** Processes that outlived their server; the next start deals with them, and `#close` if it did not. */
  readonly #leftBehind: number[] = [];
  #killCount = 0;
  #storedSpanCount = 0;

  constructor(seed: number, dataDir: string, ports: { readonly http: number; readonly grpc: number }) {
    this.#seed = seed;
    this.dataDir = dataDir;
    this.#ports = ports;
    this.#senders = {
      http: openHttpSender(`http://127.0.0.1:${ports.http}`),
      grpc: openGrpcSender(`127.0.0.1:${ports.grpc}`),
    };
  }

  async round({
    round,
    ending,
    random,
    isFullRead,
  }: {
    round: number;
    ending: Ending;
    random: SeededRandom;
    isFullRead: boolean;
  }): Promise<string> {
    const load = startLoad({
      ledger: this.#ledger,
      random,
      round,
      senders: [this.#senders.http, this.#senders.grpc],
      concurrency: 3,
    });
    const metadata = startMetadataLoad({
      ledger: this.#metadata,
      random: new SeededRandom(random.below(2 ** 32)),
      round,
      serverUrl: this.#url(),
    });
    await this.#waitUntilSent(round, random.below(SENT_REQUEST_COUNT));
    await this.#end(ending, random, load);
    await Promise.all([load.end(), metadata.end()]);
    const startedAt = performance.now();
    if (this.#server?.exit()) await this.start();
    const readyMs = performance.now() - startedAt;

    const requests = this.#ledger.requests.filter((request) => request.round === round);
    const count = (outcome: string) => requests.filter((request) => request.outcome === outcome).length;
    const counts = `${count('acknowledged')} acknowledged, ${count('unknown')} cut off, ${count('refused')} refused`;
    await this.#waitUntilApplied(round);
    const verified = await verify(this.#url(), this.#ledger, { round });
    await this.#metadata.verify(this.#url());
    await this.#retry(round, new SeededRandom(random.below(2 ** 32)));
    await this.#deleteOne(new SeededRandom(random.below(2 ** 32)), round);
    await this.#waitUntilApplied(round);
    const after = await verify(this.#url(), this.#ledger, isFullRead ? 'all' : { round });
    if (isFullRead) this.#storedSpanCount = after.spanCount;
    const ofCutOff = `${verified.keptUnknownCount} of the cut off were kept`;
    return `${counts}; ready after ${Math.round(readyMs)} ms; ${verified.spanCount} spans, ${ofCutOff}${isFullRead ? `; ${after.spanCount} spans in all` : ''}`;
  }

  async start(): Promise<void> {
    this.#server = await startServer({ dataDir: this.dataDir, ports: this.#ports });
  }

  async stop(): Promise<void> {
    this.#close();
    const exit = await this.#server?.stop();
    this.#killLeftBehind();
    if (exit && exit.code !== 0) throw new Error(`SIGTERM ended the server with ${exit.signal ?? exit.code}`);
  }

  async abandon(): Promise<void> {
    this.#close();
    await this.#server?.kill9();
    this.#killLeftBehind();
  }

  lastOutput(): string {
    return this.#server?.output().slice(-4_000) ?? '';
  }

  summary(): CrashSummary {
    const acknowledged = this.#ledger.requests.filter((request) => request.outcome === 'acknowledged');
    return {
      acknowledgedSpanCount: acknowledged.reduce((sum, request) => sum + request.spans.length, 0),
      storedSpanCount: this.#storedSpanCount,
      acknowledgedRowCount: this.#metadata.acknowledgedCount,
      killCount: this.#killCount,
    };
  }

  /** Counted in requests, so that a slow and a quick machine are ended at the same point of the load. */
  async #waitUntilSent(round: number, requestCount: number): Promise<void> {
    const deadline = Date.now() + LOAD_MS_MAX;
    const sentCount = () => this.#ledger.requests.reduce((sum, request) => sum + (request.round === round ? 1 : 0), 0);
    while (sentCount() < requestCount && Date.now() < deadline) await delay(5);
  }

  async #end(ending: Ending, random: SeededRandom, load: Load): Promise<void> {
    const server = this.#server!;
    if (ending === 'term') {
      const exit = await server.stop();
      if (exit.code !== 0) throw new Error(`SIGTERM ended the server with ${exit.signal ?? exit.code}`);
      return;
    }
    if (ending === 'idle') {
      await load.end();
      await delay(random.below(1_500));
    }
    if (ending === 'checkpoint') {
      await this.#killInCheckpoint(server, random.below(CHECKPOINT_EVENT_COUNT));
      return;
    }
    if (ending === 'postgres' || ending === 'both') {
      this.#killCount++;
      await server.killPostgres();
      // A restart takes about this long.
      await delay(random.below(400));
      if (ending === 'postgres') {
        if (random.chance(0.3)) await server.killPostgres();
        return waitUntilReady(server);
      }
    }
    this.#killCount++;
    if (ending === 'orphan') this.#leftBehind.push(...(await server.killServerAlone()));
    else await server.kill9();
    if (ending !== 'startup') return;
    for (let attempt = random.below(2); attempt >= 0; attempt--) {
      this.#server = await startServer({ dataDir: this.dataDir, ports: this.#ports, waitUntilReady: false });
      // Either anywhere in the start, or just after it: while what the journal holds is applied.
      if (random.chance(0.5)) await delay(random.below(1_500));
      else await waitUntilReady(this.#server).then(() => delay(random.below(150)));
      this.#killCount++;
      await this.#server.kill9();
    }
  }

  /** Nothing but a checkpoint writes to the store's directory, so its writes, counted, are the clock of this kill. */
  async #killInCheckpoint(server: ServerProcess, eventCount: number): Promise<void> {
    let seenCount = 0;
    let killed: Promise<void> | undefined;
    const watcher = watch(join(this.dataDir, 'spans'), () => {
      if (seenCount++ >= eventCount) killed ??= server.kill9();
    });
    process.kill(server.pid, 'SIGTERM');
    await server.ended();
    watcher.close();
    if (killed) this.#killCount++;
    await killed;
  }

  /** The journal is applied in order, so once a span that was sent last is readable, everything before it is there. */
  async #waitUntilApplied(round: number): Promise<void> {
    const [request] = newRequestPair(new SeededRandom(this.#seed ^ this.#ledger.requests.length), round);
    this.#ledger.requests.push(request);
    await sendUntilAcknowledged(this.#senders.http, request);
    const [span] = request.spans;
    if (span) await spansOnceThere(this.#url(), span.project, 1, { trace_id: span.traceId });
  }

  /** What an exporter does with requests that got no answer; and some that did get one, as if it had been lost. */
  async #retry(round: number, random: SeededRandom): Promise<void> {
    const isUntouched = ({ spans }: { spans: readonly { traceId: string }[] }) =>
      spans.every(
        ({ traceId }) =>
          !this.#ledger.deletedTraceIds.has(traceId) && !this.#ledger.perhapsDeletedTraceIds.has(traceId),
      );
    for (const request of this.#ledger.requests.filter((one) => isUntouched(one))) {
      const isOfRound = request.round === round && request.outcome !== 'acknowledged';
      if (!isOfRound && !random.chance(0.01)) continue;
      await sendUntilAcknowledged(random.chance(0.5) ? this.#senders.http : this.#senders.grpc, request);
    }
  }

  /** Deletes a trace, so that later rounds show whether it stays gone; some of these deletions race with a kill. */
  async #deleteOne(random: SeededRandom, round: number): Promise<void> {
    const candidates = this.#ledger.requests.filter(
      (request) => request.round === round && request.outcome === 'acknowledged',
    );
    const traceId = random.pick(random.pick(candidates).spans).traceId;
    this.#ledger.perhapsDeletedTraceIds.add(traceId);
    const status = await eventually(async () => {
      const response = await fetch(`${this.#url()}/v1/traces/${traceId}`, { method: 'DELETE' });
      const text = await response.text();
      if (response.status !== 204) throw new Error(`deleting a trace met ${response.status} ${text}`);
      return response.status;
    });
    if (status === 204) this.#ledger.deletedTraceIds.add(traceId);
  }

  #url(): string {
    return this.#server!.url;
  }

  #close(): void {
    this.#senders.http.close();
    this.#senders.grpc.close();
  }

  #killLeftBehind(): void {
    for (const pid of this.#leftBehind) if (commandLine(pid).includes(this.dataDir)) process.kill(pid, 'SIGKILL');
  }
}
