/** What a command's end means to a shell. */
export const EXIT = {
  ok: 0,
  failure: 1,
  /** Wrong arguments or settings. */
  usage: 2,
  /** `check`: there is something wrong with the data. */
  problemsFound: 1,
  /** `check`: the data could not be read. */
  cannotCheck: 2,
} as const;

/** 128 and the signal's number, as shells have it. */
export const EXIT_BY_SIGNAL = { SIGINT: 130, SIGTERM: 143 } as const;
export type StopSignal = keyof typeof EXIT_BY_SIGNAL;
