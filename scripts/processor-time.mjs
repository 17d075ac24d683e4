// Loaded into each process of a run of tests: it notes the processor time of the process, with that of the servers, databases
// and browsers that it started and that have ended, for slowest-files.mjs.
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';

/** Fields of /proc/self/stat after the name of the program: utime, stime, cutime and cstime. */
const TIMES = [11, 15];
/** The unit of these fields on every architecture of Linux. */
const TICKS_PER_SECOND = 100;

const { NODE_TEST_CONTEXT, TEST_FOLDER } = process.env;
if (isMainThread && NODE_TEST_CONTEXT !== undefined && TEST_FOLDER !== undefined) process.once('exit', note);

function note() {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ticks = fields.slice(...TIMES).reduce((sum, field) => sum + Number(field), 0);
    const line = { file: process.argv[1], seconds: ticks / TICKS_PER_SECOND, wallSeconds: performance.now() / 1_000 };
    appendFileSync(join(TEST_FOLDER, 'processor-times'), `${JSON.stringify(line)}\n`);
  } catch {
    // Not Linux, or a test that forbids files.
  }
}
