import type { ServerProcess } from '../../test/e2e/server-process.ts';

/**
 * The longest time in ms that the server's event loop made something wait since this was asked last. It is sampled every
 * 10 ms: a loop that is free shows 10 to 12.
 */
export async function takeLoopDelayMs({ url }: ServerProcess): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const [, seconds] = /^nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(text) ?? [];
  if (seconds === undefined) throw new Error('/metrics does not tell the delay of the event loop');
  return 1_000 * Number(seconds);
}
