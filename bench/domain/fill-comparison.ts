import pg from 'pg';
import { toGlobalId } from '../../src/api/contract/global-id.ts';
import type { TestServer } from '../../test/api/test-server.ts';

interface FilledDataset {
  readonly datasetId: string;
  readonly experimentIds: readonly string[];
}

/**
 * Creates a dataset with experiments whose runs have traces, tokens and two scores. Rows are inserted by SQL, because a
 * million requests would take minutes.
 */
export async function fillComparison(
  server: TestServer,
  exampleCount: number,
  experimentCount: number,
): Promise<FilledDataset> {
  const db = new pg.Client({ connectionString: server.databaseUrl });
  await db.connect();
  const one = async (text: string, values: unknown[]) => Number((await db.query(text, values)).rows[0].id);
  const dataset = await one(`insert into datasets (name) values ('bench of comparisons') returning id`, []);
  const version = await one(`insert into dataset_versions (dataset_id, example_count) values ($1, $2) returning id`, [
    dataset,
    exampleCount,
  ]);
  await db.query(`insert into dataset_examples (dataset_id) select $1 from generate_series(1, $2)`, [
    dataset,
    exampleCount,
  ]);
  await db.query(
    `insert into dataset_example_revisions
       (dataset_id, dataset_example_id, dataset_version_id, revision_kind, input, output, metadata, content_hash)
     select $1::bigint, id, $2::bigint, 'CREATE',
       json_build_object('question', 'question ' || id || repeat(' and more', 30)),
       json_build_object('answer', 'answer ' || id),
       json_build_object('topic', 'topic ' || id % 8, 'level', id % 3), int8send(id) || int8send(id)
     from dataset_examples where dataset_id = $1`,
    [dataset, version],
  );
  const split = await one(`insert into dataset_splits (name, color) values ('hard', '#123456') returning id`, []);
  await db.query(
    `insert into dataset_split_examples (dataset_split_id, dataset_id, dataset_example_id)
     select $1::bigint, $2::bigint, id from dataset_examples where dataset_id = $2 and id % 4 = 0`,
    [split, dataset],
  );
  const ids: string[] = [];
  for (let n = 0; n < experimentCount; n++) {
    const experiment = await one(
      `insert into experiments (dataset_id, dataset_version_id, name, repetitions, project_name, example_count)
       values ($1, $2, $3, 1, $3, $4) returning id`,
      [dataset, version, `experiment ${n}`, exampleCount],
    );
    await db.query('insert into experiment_summaries (experiment_id) values ($1)', [experiment]);
    await db.query(
      `insert into experiment_examples (experiment_id, dataset_example_id, dataset_example_revision_id)
       select $1::bigint, dataset_example_id, id from dataset_example_revisions where dataset_id = $2`,
      [experiment, dataset],
    );
    await db.query(
      `insert into experiment_runs
         (experiment_id, dataset_example_id, repetition_number, trace_id, output, start_time, end_time, error)
       select $1::bigint, id, 1, lpad(to_hex($1::bigint * 10000000 + row_number() over (order by id)), 32, '0'),
         json_build_object('answer', 'an answer ' || id || repeat(' in many words', 20)), 'epoch'::timestamptz,
         'epoch'::timestamptz + (random() * 3000 + $2 * 50) * interval '1 millisecond', null
       from dataset_examples where dataset_id = $3`,
      [experiment, n, dataset],
    );
    for (const [name, score] of [
      ['accuracy', `random()`],
      ['correct', `(random() < 0.7)::integer`],
    ] as const) {
      await db.query(
        `insert into experiment_evaluations
           (experiment_id, experiment_run_id, name, annotator_kind, score, explanation, start_time, end_time)
         select experiment_id, id, $2, 'LLM', ${score}, repeat('because ', 20), now(), now()
         from experiment_runs where experiment_id = $1`,
        [experiment, name],
      );
    }
    ids.push(toGlobalId('Experiment', experiment));
    await appendTraces(server, experiment, n, exampleCount);
  }
  await db.query('vacuum analyze');
  await db.end();
  return { datasetId: toGlobalId('Dataset', dataset), experimentIds: ids };
}

async function appendTraces(server: TestServer, experiment: number, n: number, count: number): Promise<void> {
  for (let from = 1; from <= count; from += 2_000) {
    const spans = Array.from({ length: Math.min(2_000, count - from + 1) }, (_, index) => ({
      project: `experiment ${n}`,
      traceId: (experiment * 10_000_000 + from + index).toString(16).padStart(32, '0'),
      spanId: (experiment * 10_000_000 + from + index).toString(16).padStart(16, '0'),
      spanKind: 'LLM' as const,
      modelName: 'gpt-4o-mini',
      attributes: {
        llm: { model_name: 'gpt-4o-mini', token_count: { prompt: 100 + (index % 50), completion: 20 + n } },
      },
    }));
    await server.append(...spans);
  }
}
