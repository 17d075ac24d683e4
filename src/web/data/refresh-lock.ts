/**
 * Runs a task while no other tab of this browser runs one. The Web Locks API exists only on pages that were loaded over
 * TLS or from this machine; elsewhere, a lease in the storage of the browser takes its place.
 */
export const exclusively = <Result>(run: () => Promise<Result>): Promise<Result> =>
  navigator.locks === undefined ? withLease(run) : navigator.locks.request(NAME, run);

const NAME = 'spandrel.session';
/** Longer than the task. The lease of a tab that was closed ends then. */
const LEASE_MS = 12_000;
/** Two tabs that take the lease at once both see, after this time, which of them wrote last. */
const SETTLE_MS = 60;

interface Lease {
  readonly owner: string;
  readonly until: number;
}

async function withLease<Result>(run: () => Promise<Result>): Promise<Result> {
  const owner = String(Math.random());
  for (;;) {
    const lease = readLease();
    if (lease === undefined || lease.until < Date.now()) {
      write(JSON.stringify({ owner, until: Date.now() + LEASE_MS }));
      await pause(SETTLE_MS);
      const taken = readLease();
      if (taken === undefined || taken.owner === owner) break;
    } else {
      await pause(SETTLE_MS);
    }
  }
  try {
    return await run();
  } finally {
    if (readLease()?.owner === owner) write(undefined);
  }
}

function readLease(): Lease | undefined {
  try {
    return JSON.parse(localStorage.getItem(NAME) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
}

function write(text: string | undefined): void {
  try {
    if (text === undefined) localStorage.removeItem(NAME);
    else localStorage.setItem(NAME, text);
  } catch {
    // Without storage, each tab refreshes by itself. The server tolerates that.
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
