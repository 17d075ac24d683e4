import { setFlagsFromString } from 'node:v8';

/** Growth after which the old generation is collected, in percent of what was alive. 0: V8 decides, by up to 300 percent. */
const PERCENT = 60;

let limitCount = 0;

/**
 * Collects the old generation of each thread earlier until the returned function is called, once, and all other limits have ended.
 * It is for work whose garbage outlives the young generation (docs/decisions/memory-budgets.md).
 */
export function limitHeapGrowth(): () => void {
  if (limitCount++ === 0) setFlagsFromString(`--heap-growing-percent=${PERCENT}`);
  return () => {
    if (--limitCount === 0) setFlagsFromString('--heap-growing-percent=0');
  };
}
