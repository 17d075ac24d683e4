#!/usr/bin/env node
// Kills the built server, its Postgres, or both over and over while spans arrive, traces are deleted, and projects, datasets
// and annotation configs are made and deleted; then, for a fifth of the rounds, while
// annotations arrive and are deleted; and reads back everything that was acknowledged.
//
//   node scripts/crash.mjs [rounds, default 100] [seed]
//   node scripts/crash.mjs jobs [rounds, default 25] [seed]     kills it while jobs of experiments run, instead
//
// Prints its seed first; with the same seed the same spans are sent and the same moments are chosen. When a round
// fails its data directory is kept, and its path is printed.
import { randomInt } from 'node:crypto';
import { existsSync } from 'node:fs';

const built = new URL('../dist/test/e2e/crash/crash-rounds.js', import.meta.url);
const annotations = new URL('annotation-rounds.js', built);
if (!existsSync(built)) {
  console.error('Nothing is built yet: run `npm run build` first.');
  process.exit(2);
}
const isOfJobs = process.argv[2] === 'jobs';
const [rounds = isOfJobs ? '25' : '100', seed = String(randomInt(2 ** 31))] = process.argv.slice(isOfJobs ? 3 : 2);
if (!(Number(rounds) > 0) || !Number.isInteger(Number(seed))) {
  console.error('usage: node scripts/crash.mjs [jobs] [rounds] [seed]');
  process.exit(2);
}

if (isOfJobs) {
  await crashJobs();
  process.exit();
}
const { runCrashRounds } = await import(built.href);
const { runAnnotationCrashRounds } = await import(annotations.href);
console.log(`seed ${seed}`);
const startedAt = performance.now();
try {
  const { acknowledgedSpanCount, storedSpanCount, acknowledgedRowCount, killCount } = await runCrashRounds({
    roundCount: Number(rounds),
    seed: Number(seed),
    report: (line) => console.log(line),
  });
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  console.log(
    `${killCount} kills in ${seconds} s: ${acknowledgedSpanCount} spans acknowledged, none lost, none twice; ${storedSpanCount} stored; ${acknowledgedRowCount} rows of Postgres acknowledged, none lost, no id twice.`,
  );
  const annotationRounds = Math.ceil(Number(rounds) / 5);
  const { acknowledgedCount, deletedCount } = await runAnnotationCrashRounds(annotationRounds);
  console.log(
    `${annotationRounds} more: ${acknowledgedCount} annotations acknowledged, none lost, none twice; ${deletedCount} deleted, none back.`,
  );
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}

async function crashJobs() {
  const { runJobCrashRounds } = await import(new URL('job-rounds.js', built).href);
  console.log(`seed ${seed}`);
  try {
    const { runCount, killCount, repeatedCallCount, resumeMsMax } = await runJobCrashRounds({
      roundCount: Number(rounds),
      seed: Number(seed),
      report: (line) => console.log(line),
    });
    console.log(
      `${killCount} kills: ${runCount} runs with their traces and evaluations, none lost, none twice; ${repeatedCallCount} calls repeated; running again at most ${Math.round(resumeMsMax)} ms after readiness.`,
    );
    if (resumeMsMax > 5_000) throw new Error('A job did not run again within 5 s.');
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
