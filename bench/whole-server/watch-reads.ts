import { setTimeout as delay } from 'node:timers/promises';
import { getJson } from '../../test/e2e/rest.ts';
import { LatencyRecorder, type LatencySummary } from './measure.ts';

/** Requests one page repeatedly until it is stopped, which shows the effect of the load on another client. */
export function watchReads(
  url: string,
  pauseMs: number,
): { stop(): Promise<LatencySummary & { readonly failureCount: number }> } {
  let isStopping = false;
  let failureCount = 0;
  const recorder = new LatencyRecorder();
  const loop = (async () => {
    while (!isStopping) {
      const startedAt = performance.now();
      await getJson(url).then(
        () => recorder.add(performance.now() - startedAt),
        () => failureCount++,
      );
      await delay(pauseMs);
    }
  })();
  return {
    async stop() {
      isStopping = true;
      await loop;
      return { ...recorder.summary(), failureCount };
    },
  };
}
