import { queryGraphql, type SpandrelClient } from '@spandrel/client';
import type { CallRepeat, RunProgress } from '@spandrel/evals';
import type { Output } from '../../output/output.ts';
import { findProjectNodeId } from '../find.ts';

/** A vendor that fails for this time is noted where no progress is shown. Shorter failures are usual, and end by a repeat. */
const NOTED_AFTER_MS = 1_000;

/** The spans of a run. */
export interface CountedSelection {
  readonly client: SpandrelClient;
  /** What a path needs to name the project. */
  readonly project: string;
  readonly signal: AbortSignal;
  readonly filter?: string;
  readonly startTime?: Date;
  readonly rootSpansOnly: boolean;
  readonly skipAnnotated: boolean;
  readonly sample?: number;
  readonly limit?: number;
}

/**
 * Shows how far a run is: a line that is replaced on a terminal, and elsewhere one line when a vendor fails. Counts the spans while the
 * run goes on, because it needs no number of them.
 *
 * @returns for `onProgress` of the run
 */
export function showRunProgress(out: Output, selection: CountedSelection): (progress: RunProgress) => void {
  let expected = '';
  let isCounted = false;
  let isNoted = false;
  void countSpans(selection).then((count) => {
    isCounted = true;
    expected = count === undefined ? '' : ` of ${describeCount(count, selection)}`;
  });
  return (progress) => {
    const { rowCount, repeat } = progress;
    const spans = `${rowCount}${expected} spans`;
    out.progress(repeat ? `${spans}; ${describeRepeat(repeat)}` : `${spans}, ${describeWork(progress)}`);
    if (!repeat || isNoted || !isCounted || repeat.failingMs < NOTED_AFTER_MS) return;
    isNoted = true;
    out.noteInPlaceOfProgress(`Calls are repeated: ${describeRepeat(repeat)}. ${spans} are evaluated.`);
  };
}

const describeRepeat = ({ provider, reason, attempt, attemptCountMax, waitMs, host }: CallRepeat): string => {
  const when = waitMs > 0 ? `in ${Math.ceil(waitMs / 1_000)} s` : 'now';
  return `${provider}: ${reason}, attempt ${attempt} of ${attemptCountMax} ${when}${host && ` (${host})`}`;
};

const describeWork = ({ doneCount, errorCount, perSecond, cost, activeCallCount }: RunProgress): string =>
  doneCount === 0 && activeCallCount > 0
    ? `waiting for ${activeCallCount} ${activeCallCount === 1 ? 'call' : 'calls'} of the model`
    : `${doneCount} evaluations, ${errorCount} errors, ${perSecond.toFixed(1)}/s, $${cost.toFixed(4)}`;

function describeCount(count: number, { sample = 1, limit, rootSpansOnly, skipAnnotated }: CountedSelection): string {
  const chosen = Math.min(Math.round(count * sample), limit ?? Number.POSITIVE_INFINITY);
  if (sample < 1) return `about ${chosen}`;
  // The server counts all spans of the filter.
  return rootSpansOnly || skipAnnotated ? `at most ${chosen}` : String(chosen);
}

const QUERY = `query ($id: ID!, $condition: String, $timeRange: TimeRange) {
  node(id: $id) { ... on Project { recordCount(filterCondition: $condition, timeRange: $timeRange) } }
}`;

interface Data {
  readonly node: { readonly recordCount: number } | null;
}

/** Spans of the filter and the time. Undefined when the server cannot say it: the run itself meets the same error. */
async function countSpans(selection: CountedSelection): Promise<number | undefined> {
  const { client, project, filter, startTime, signal } = selection;
  try {
    const variables = {
      id: await findProjectNodeId(client, project, signal),
      condition: filter ?? null,
      timeRange: startTime ? { start: startTime.toISOString() } : null,
    };
    const { node } = await queryGraphql<Data>({ client, signal }, QUERY, variables);
    return node?.recordCount;
  } catch {
    return undefined;
  }
}
