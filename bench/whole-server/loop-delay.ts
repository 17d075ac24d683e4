import type { BenchServer } from './bench-server.ts';

/**
 * The longest delay of the server's event loop in ms since the last call. It is sampled every 10 ms: an idle loop shows
 * 10 to 12.
 */
export async function takeLoopDelayMs({ url }: BenchServer): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const [, seconds] = /^nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(text) ?? [];
  if (seconds === undefined) throw new Error('/metrics does not tell the delay of the event loop');
  return 1_000 * Number(seconds);
}
