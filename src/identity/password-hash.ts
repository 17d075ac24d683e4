import { hash, verify } from '@node-rs/argon2';

/** `Algorithm.Argon2id`, which is an ambient enum that cannot be imported. */
const ARGON2ID = 2;

/** OWASP's parameters for argon2id: 19 MiB, two passes, no parallelism. About 30 ms on a core. */
const OPTIONS = { algorithm: ARGON2ID, memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 } as const;
const PARAMETERS = `$argon2id$v=19$m=${OPTIONS.memoryCost},t=${OPTIONS.timeCost},p=${OPTIONS.parallelism}$`;

/** Hashes passwords off the main thread, a few at a time. */
export interface PasswordHasher {
  /** Returns the PHC text, with parameters and a random salt. Rejects with `onFull()` when the queue is full. */
  hash(password: string): Promise<string>;
  /** Takes the same time for every hash of the current parameters. */
  verify(hash: string, password: string): Promise<boolean>;
  /** Takes the time of `verify`, for an account that does not exist. */
  verifyNothing(password: string): Promise<false>;
  /** True for a hash with other parameters than those of today. */
  isOutdated(hash: string): boolean;
}

export function createPasswordHasher(limits: {
  readonly countMax: number;
  readonly queueLengthMax: number;
  /** Called after a hash while others wait, with its duration. The next one starts when the promise resolves. */
  readonly rest?: (hashMs: number) => Promise<void>;
  /** Makes the error of a request that finds the queue full. */
  readonly onFull: () => Error;
}): PasswordHasher {
  let running = 0;
  const waiting: (() => void)[] = [];
  async function whenFree<T>(work: () => Promise<T>): Promise<T> {
    if (running >= limits.countMax) {
      if (waiting.length >= limits.queueLengthMax) throw limits.onFull();
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else {
      running++;
    }
    const startedAt = performance.now();
    try {
      return await work();
    } finally {
      void release(performance.now() - startedAt);
    }
  }
  async function release(durationMs: number): Promise<void> {
    if (waiting.length > 0) await limits.rest?.(durationMs);
    const next = waiting.shift();
    if (next) next();
    else running--;
  }
  const hashNow = (password: string) => whenFree(() => hash(password, OPTIONS));
  let nothing: Promise<string> | undefined;
  return {
    hash: hashNow,
    verify: (stored, password) => whenFree(() => verify(stored, password)),
    async verifyNothing(password) {
      nothing ??= hash('no account has this password', OPTIONS);
      const stored = await nothing;
      await whenFree(() => verify(stored, password));
      return false;
    },
    isOutdated: (stored) => !stored.startsWith(PARAMETERS),
  };
}
