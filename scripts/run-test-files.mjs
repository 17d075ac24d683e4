// Runs compiled test files with node:test, each in a process of its own.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from './dist.mjs';

// Files that start a server or a browser wait a quarter of their time: one more than there are cores fills it.
const CONCURRENCY = Number(process.env.TEST_CONCURRENCY ?? 3);
/** For the processes of a run of many tests. Together, they save a sixth of its processor time. */
export const V8_FLAGS = [
  // Such a process makes much garbage, most of which a larger young generation never copies, and a larger old one seldom marks.
  '--max-semi-space-size=64',
  '--initial-old-space-size=512',
  // It runs much code, each part of which seldom: V8 optimizes a function after 64 times as much work as usual. Newer ones lack the option.
  ...(process.versions.node.startsWith('20.') ? ['--interrupt-budget=4325376'] : []),
];

/** A test that fails may leave something open, and its process would never end. */
const PROCESS_MS_MAX = 15 * 60_000;

/**
 * @param {string[]} paths
 * @param {{ isLong: boolean, env: NodeJS.ProcessEnv, stdout?: 'inherit' | 'ignore' }} options `isLong` saves time where there are many tests,
 *   at the cost of the lines of sources in stack traces
 * @returns {import('./test-reporter.mjs').Results | undefined} undefined if node:test itself failed
 */
export function runTestFiles(paths, { isLong, env, stdout = 'inherit' }) {
  const dir = mkdtempSync(join(tmpdir(), 'spandrel-results-'));
  const resultsPath = join(dir, 'results.json');
  const script = (name) => new URL(name, import.meta.url).href;
  const reporter = (name) => [`--test-reporter=${script(name)}`, '--test-reporter-destination=stdout'];
  const args = [
    // Loading the source maps takes 0.2 s a file.
    ...(isLong ? [] : ['--enable-source-maps']),
    // Node passes these on to the process of each file.
    `--import=${script('processor-time.mjs')}`,
    ...(isLong ? [`--import=${script('light-test-hooks.mjs')}`, ...V8_FLAGS] : []),
    '--test',
    ...(isLong ? reporter('slowest-files.mjs') : []),
    ...reporter('test-reporter.mjs'),
    `--test-concurrency=${CONCURRENCY}`,
    `--test-timeout=${PROCESS_MS_MAX}`,
    ...paths,
  ];
  try {
    spawnSync(process.execPath, args, {
      cwd: ROOT,
      env: { ...env, TEST_RESULTS: resultsPath },
      stdio: ['ignore', stdout, 'inherit'],
    });
    return existsSync(resultsPath) ? JSON.parse(readFileSync(resultsPath, 'utf8')) : undefined;
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
