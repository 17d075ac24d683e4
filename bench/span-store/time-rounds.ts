import { cpuMs } from './agent-batches.ts';

const WHAT_WIDTH = 56;

/** Heading of the lines that `timeRounds` prints. */
export const ROUNDS_HEADING = `${''.padEnd(WHAT_WIDTH)} first ms  median ms  CPU ms`;

/**
 * Runs a read once and then `roundCount` times, and prints a line: milliseconds of the first run, the median of the others
 * and their mean CPU time. `before` runs before each of them and is not measured.
 */
export async function timeRounds(
  what: string,
  roundCount: number,
  read: () => Promise<unknown>,
  before = async () => {},
): Promise<void> {
  const times: number[] = [];
  let cpu = 0;
  for (let round = 0; round <= roundCount; round++) {
    await before();
    const startedAt = performance.now();
    const cpuBefore = cpuMs();
    await read();
    times.push(performance.now() - startedAt);
    if (round > 0) cpu += cpuMs() - cpuBefore;
  }
  const [firstMs = 0, ...others] = times;
  const median = others.sort((a, b) => a - b)[others.length >> 1] ?? firstMs;
  const columns = [
    firstMs.toFixed(1).padStart(9),
    median.toFixed(1).padStart(10),
    (cpu / roundCount).toFixed(1).padStart(7),
  ];
  console.log(what.padEnd(WHAT_WIDTH), columns.join(' '));
}
