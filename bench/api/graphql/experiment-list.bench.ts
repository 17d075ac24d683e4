/**
 * The table of experiments of a dataset with many experiments of many runs: the first page as the interface reads it, sorted
 * by a score, before and after the summaries are stored, and after one experiment has received a run.
 */
import pg from 'pg';
import { toGlobalId } from '../../../src/api/contract/global-id.ts';
import { openTestServer } from '../../../test/api/test-server.ts';
import { isSmoke, size } from '../../whole-server/measure.ts';

const EXPERIMENT_COUNT = size('EXPERIMENTS', { smoke: 3, full: 500 });
const RUN_COUNT = size('RUNS', { smoke: 20, full: 10_000 });
const ROUND_COUNT = isSmoke ? 1 : 9;

const QUERY = `query ($id: ID!, $sort: ExperimentSort) { node(id: $id) { ... on Dataset {
  experiments(first: 50, sort: $sort) { pageInfo { hasNextPage } edges { node {
    id name description createdAt sequenceNumber repetitions runCount expectedRunCount errorRate averageRunLatencyMs isBaseline
    metadata project { id } datasetSplits { edges { node { id } } } tags { name } job { status }
    annotationSummaries { annotationName minScore meanScore maxScore scoreCount labelCount errorCount percentiles scoreBins
      labelFractions { label fraction } } } } } } } }`;

const closing: (() => Promise<void>)[] = [];
const server = await openTestServer({ after: (work) => void closing.unshift(work) });
const db = new pg.Client({ connectionString: server.databaseUrl });
await db.connect();
const dataset = { name: 'bench', description: null, metadata: '{}', userId: null };
const datasetId = await server.ports.datasets.create(dataset);
for (let number = 1; number <= EXPERIMENT_COUNT; number++) {
  const { rows: made } = await db.query<{ id: string }>(
    `insert into experiments (dataset_id, dataset_version_id, name, repetitions, project_name, example_count)
     values ($1, 1, $2, 1, $2, $3) returning id`,
    [datasetId, `experiment ${number}`, RUN_COUNT],
  );
  const id = made[0]!.id;
  await db.query('insert into experiment_summaries (experiment_id) values ($1)', [id]);
  await db.query(
    `with runs as (
       insert into experiment_runs (experiment_id, dataset_example_id, repetition_number, output, start_time, end_time, error)
       select $1, n, 1, '{"answer":"An answer of a usual length, which a support assistant has written"}', now(),
         now() + random() * interval '2 seconds', case when random() < 0.02 then 'timeout' end
       from generate_series(1, $2::bigint) n returning id
     )
     insert into experiment_evaluations (experiment_id, experiment_run_id, name, annotator_kind, score, start_time, end_time)
     select $1, id, 'correctness', 'CODE', random(), now(), now() from runs`,
    [id, RUN_COUNT],
  );
}
await db.query('analyze');

const sort = { col: { annotationName: 'correctness' }, dir: 'desc' };
async function timePage(variables: object): Promise<number> {
  const start = performance.now();
  await server.ask(QUERY, { id: toGlobalId('Dataset', datasetId), ...variables });
  return performance.now() - start;
}
async function median(variables: object): Promise<string> {
  const times: number[] = [];
  for (let round = 0; round < ROUND_COUNT; round++) times.push(await timePage(variables));
  return `${Math.round(times.toSorted((a, b) => a - b)[times.length >> 1]!)} ms`;
}

console.log(`${EXPERIMENT_COUNT} experiments of ${RUN_COUNT} runs with one score each`);
console.log(`first read, which computes all summaries  ${Math.round(await timePage({ sort }))} ms`);
console.log(`first page, newest first                  ${await median({})}`);
console.log(`first page, sorted by a score             ${await median({ sort })}`);
await db.query(`update experiment_evaluations set score = 1 where id = (select max(id) from experiment_evaluations)`);
console.log(`the same after one experiment has changed ${Math.round(await timePage({ sort }))} ms`);
await db.end();
for (const close of closing) await close();
