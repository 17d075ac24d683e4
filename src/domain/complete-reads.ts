import { SpandrelError } from '../model/errors.ts';
import { describeReplay, type ReplayProgress } from '../model/spans/replay-progress.ts';
import type { SpanStore, SpanStoreReader } from '../span-store/contract/span-store.ts';
import type { Ports } from './ports.ts';

interface Replay {
  /** Undefined unless reads lack data that was acknowledged before a restart. */
  replay(): ReplayProgress | undefined;
}

/** Reads of uploaded files and of changes, which need no stored span. */
const NEED_NO_SPANS: ReadonlySet<string> = new Set(['openParquet', 'openTable', 'onChange', 'lastChangedAt']);

/**
 * The reads of a span store, which are rejected while the journal is applied after a restart: acknowledged spans would look as
 * if they did not exist.
 */
export const completeReads = (spanStore: SpanStore, ingest: Replay): SpanStoreReader =>
  Object.fromEntries(
    Object.entries(spanStore).map(([name, read]) => {
      if (NEED_NO_SPANS.has(name)) return [name, read];
      return [
        name,
        async (...args: unknown[]) => {
          rejectDuringReplay(ingest);
          return (read as (...args: unknown[]) => unknown)(...args);
        },
      ];
    }),
  ) as unknown as SpanStoreReader;

/** A project that no record of the journal has created yet is not reported as missing while records are applied. */
export const completeProjects = (projects: Ports['projects'], ingest: Replay): Ports['projects'] => ({
  ...projects,
  async find(ref) {
    const project = await projects.find(ref);
    if (project === undefined) rejectDuringReplay(ingest);
    return project;
  },
});

/** @throws {SpandrelError} `STORE_UNAVAILABLE` */
function rejectDuringReplay(ingest: Replay): void {
  const progress = ingest.replay();
  if (progress) throw new SpandrelError('STORE_UNAVAILABLE', `${describeReplay(progress)}. Retry in a moment`);
}
