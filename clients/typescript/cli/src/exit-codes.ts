/** Exit codes of the program. */
export const EXIT = {
  ok: 0,
  /** The server rejected the request, or something else failed. */
  failure: 1,
  cancelled: 2,
  /** Wrong arguments or settings; a deletion that is not enabled. */
  usage: 3,
  /** The server wants a credential, the one that was sent has not the right, or the user has denied the sign-in. */
  authentication: 4,
  /** The server cannot be reached, or the address is that of something else. */
  network: 5,
  /** `doctor` found a problem. */
  notVerified: 6,
  /** A condition of `--fail-on` holds. */
  conditionMet: 7,
} as const;
