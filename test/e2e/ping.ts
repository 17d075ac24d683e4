import { request as httpRequest } from 'node:http';

export interface Ping {
  stop(): Promise<{ answered: number; failed: number }>;
}

/** Asks `/healthz` ten times a second, so that a server that stands still or falls is noticed whatever else runs. */
export function startPing(serverUrl: string): Ping {
  let isStopping = false;
  const outcome = { answered: 0, failed: 0 };
  const once = () =>
    new Promise<boolean>((resolve) => {
      // A connection each: one that was kept may be ended by the server just when it is used.
      const request = httpRequest(`${serverUrl}/healthz`, { agent: false, timeout: 20_000 }, (response) => {
        response.resume();
        response.on('end', () => resolve(response.statusCode === 200));
      });
      request.on('timeout', () => request.destroy());
      request.on('error', () => resolve(false));
      request.end();
    });
  const loop = (async () => {
    while (!isStopping) {
      if (await once()) outcome.answered++;
      else outcome.failed++;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  })();
  return {
    async stop() {
      isStopping = true;
      await loop;
      return outcome;
    },
  };
}
