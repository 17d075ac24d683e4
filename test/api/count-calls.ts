/** Number of calls by name of the function. */
export type CallCounts = Record<string, number>;

/** Counts the calls of the functions of an object from now on. */
export function countCalls<Operations extends object>(operations: Operations): CallCounts {
  const counts: CallCounts = {};
  for (const [name, operation] of Object.entries(operations)) {
    if (typeof operation !== 'function') continue;
    const counted = (...args: unknown[]) => {
      counts[name] = (counts[name] ?? 0) + 1;
      return operation(...args);
    };
    Object.assign(operations, { [name]: counted });
  }
  return counts;
}

export function resetCounts(counts: CallCounts): void {
  for (const name of Object.keys(counts)) delete counts[name];
}
