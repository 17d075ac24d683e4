/** Exit codes of the program. */
export const EXIT = {
  ok: 0,
  failure: 1,
  /** Wrong arguments or settings. */
  usage: 2,
  /** `check`: the data has problems. */
  problemsFound: 1,
  /** `check`: the data could not be read. */
  cannotCheck: 2,
} as const;

/** 128 plus the number of the signal, as shells report it. */
export const EXIT_BY_SIGNAL = { SIGINT: 130, SIGTERM: 143 } as const;
export type StopSignal = keyof typeof EXIT_BY_SIGNAL;
