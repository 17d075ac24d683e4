/** From the first start to the last end. */
export const latencyMs = (times: { readonly startTimeUnixNano: bigint; readonly endTimeUnixNano: bigint }): number =>
  Number(times.endTimeUnixNano - times.startTimeUnixNano) / 1e6;
