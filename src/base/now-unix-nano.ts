/** Current time in nanoseconds since 1970, to the microsecond. */
export const nowUnixNano = (): bigint =>
  BigInt(Math.round((performance.timeOrigin + performance.now()) * 1_000)) * 1_000n;
