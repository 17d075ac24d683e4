import { setTimeout as delay } from 'node:timers/promises';
import { SeededRandom } from '../../fixtures/seeded-random.ts';
import type { OtlpSender, SendResult } from '../otlp-sender.ts';
import { type Ledger, newRequestPair, type SentRequest } from './ledger.ts';

/** A load that runs until it is ended, or has sent as many spans as a round may. */
export interface Load {
  /** Starts no further request, waits for those in flight. */
  end(): Promise<void>;
}

/** Bounds what a round adds, so that reading everything back stays quick. */
const ROUND_SPAN_COUNT_MAX = 4_000;

/**
 * Sends pairs of requests over every sender at once, `concurrency` in flight each, and notes every outcome in the
 * ledger. While nobody listens it tries again: no byte of such a request has arrived.
 */
export function startLoad({
  ledger,
  random,
  round,
  senders,
  concurrency,
}: {
  ledger: Ledger;
  random: SeededRandom;
  round: number;
  senders: readonly OtlpSender[];
  concurrency: number;
}): Load {
  let isEnding = false;
  let spanCount = 0;
  const worker = async (sender: OtlpSender, own: SeededRandom) => {
    while (!isEnding && spanCount < ROUND_SPAN_COUNT_MAX) {
      for (const request of newRequestPair(own, round)) {
        if (isEnding) return;
        spanCount += request.spans.length;
        ledger.requests.push(request);
        await sendOnce(sender, request, () => isEnding);
      }
    }
  };
  const workers = senders.flatMap((sender) =>
    Array.from({ length: concurrency }, () => worker(sender, new SeededRandom(random.below(2 ** 32)))),
  );
  return {
    async end() {
      isEnding = true;
      await Promise.all(workers);
    },
  };
}

async function sendOnce(sender: OtlpSender, request: SentRequest, isOver: () => boolean): Promise<void> {
  for (;;) {
    const result = await sender.send(request.body);
    request.outcome = outcomeOf(result);
    // An overloaded or starting server says so; what it refused may be offered again.
    if (request.outcome !== 'refused' || isOver()) return;
    await delay(20);
  }
}

/** Sends until it is acknowledged, as an exporter's retry does. */
export async function sendUntilAcknowledged(sender: OtlpSender, request: SentRequest, msMax = 30_000): Promise<void> {
  const deadline = Date.now() + msMax;
  for (;;) {
    const result = await sender.send(request.body);
    if (result.isAcknowledged) {
      request.outcome = 'acknowledged';
      return;
    }
    if (Date.now() > deadline)
      throw new Error(`a retry is not acknowledged after ${msMax} ms: ${result.status} ${result.message}`);
    await delay(20);
  }
}

const GRPC_UNAVAILABLE = 1_014;

function outcomeOf({ isAcknowledged, status, message }: SendResult): Outcome {
  if (isAcknowledged) return 'acknowledged';
  if (status === 503 || message.includes('ECONNREFUSED')) return 'refused';
  // grpc-js says UNAVAILABLE also for a connection that broke half way; only the server's own refusal is sure.
  if (status === GRPC_UNAVAILABLE && /capacity|shutting down|No connection established/i.test(message))
    return 'refused';
  if (status >= 400 && status < 600) throw new Error(`a good request met ${status}: ${message}`);
  return 'unknown';
}

type Outcome = SentRequest['outcome'];
