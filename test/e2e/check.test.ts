import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { Registry } from 'prom-client';
import { silentLog } from '../../src/base/log.ts';
import { readConfig } from '../../src/config/config.ts';
import { openEmbeddedPostgres } from '../../src/metadata-store/embedded/embedded-postgres.ts';
import { type CleanUp, cleanUpAfter, openTestPostgres, query, temporaryDirectory } from '../metadata-store/fixtures.ts';
import { check } from '../../src/check-data.ts';
import { encodeTraceRequest } from './otlp-request.ts';
import { openHttpSender } from './otlp-sender.ts';
import { spansOnceThere } from './rest.ts';
import { startServer } from './server-process.ts';

const run = promisify(execFile);

/** Runs SQL on the embedded Postgres of a data directory. Returns the rows of the last statement. */
async function alter(dataDir: string, ...statements: readonly string[]): Promise<Record<string, unknown>[]> {
  const options = { dataDir: join(dataDir, 'postgres'), log: silentLog, registry: new Registry() };
  const postgres = await openEmbeddedPostgres(options);
  const client = new Client(postgres.endpoint);
  try {
    await client.connect();
    let rows: Record<string, unknown>[] = [];
    for (const text of statements) rows = (await client.query<Record<string, unknown>>(text)).rows;
    return rows;
  } finally {
    await client.end();
    await postgres.close();
  }
}

/** Overwrites bytes in the middle of each page of a file. */
function scribble(path: string, offset = 4_000): void {
  const { size } = statSync(path);
  const file = openSync(path, 'r+');
  for (let page = 0; page < size; page += 8_192) writeSync(file, Buffer.alloc(64, 0xa5), 0, 64, page + offset);
  closeSync(file);
}

/** Paths of Postgres files by relation name. */
type Paths = ReadonlyMap<string, string>;

interface Damage {
  readonly what: string;
  /** SQL that runs on the embedded Postgres before other damage is done. */
  readonly sql?: readonly string[];
  readonly make?: (dir: string, paths: Paths) => void;
  readonly told: RegExp;
}

const RELATIONS = ['prompt_versions', 'prompts_name_key', 'annotation_configs', 'pg_proc', 'pg_description'];

/** Each group uses its own directory, because damage that stops Postgres or the comparison hides other damage. */
const DAMAGES: readonly (readonly Damage[])[] = [
  [
    {
      what: 'a sequence that is behind',
      sql: [`select setval(pg_get_serial_sequence('projects', 'id'), 2)`],
      told: /Metadata: projects: row ids up to 3 are in use, but those after 2 would be allocated again/,
    },
    {
      what: 'an older copy of Postgres',
      sql: [`delete from projects where name = 'second'`],
      told: /Metadata: projects: spans belong to 3, which it does not contain/,
    },
    {
      what: 'revisions of missing examples',
      sql: ['delete from dataset_examples'],
      told: /Metadata: dataset_example_revisions: 1 rows refer to missing rows of dataset_examples/,
    },
    {
      what: 'an entry of the audit log that was changed',
      sql: [`update audit_log set username = 'mallory' where action = 'provider.create'`],
      told: /Metadata: the audit log was changed: entry 1 does not fit to the one before it/,
    },
    {
      what: 'a missing default project',
      sql: [`delete from projects where name = 'default'`],
      told: /Metadata: projects: there is no project 'default'/,
    },
    {
      what: 'missing models with prices of spans',
      sql: ['delete from generative_models'],
      told: /Metadata: generative_models: spans have prices of .*, which it does not contain/,
    },
    {
      what: 'deletions of another journal',
      sql: [`insert into deleted_projects values (900, 'x', 1000000000)`],
      told: /Metadata: deleted_projects: 1 were deleted at positions after the end of the journal/,
    },
    {
      what: 'a missing table',
      sql: ['drop table saved_views'],
      told: /Metadata: saved_views: the table is missing/,
    },
    {
      what: 'a database of another data directory',
      sql: ['update installation set data_directory_id = gen_random_uuid()'],
      told: /Metadata: it belongs to the data directory .*, but this one is /,
    },
    {
      what: 'another key',
      make: (dir) => writeFileSync(join(dir, 'encryption-key'), Buffer.alloc(32, 7)),
      told: /Keys: key [0-9a-f]{8} cannot decrypt 1 of 1 stored credentials \(custom provider own\)/,
    },
    {
      what: 'an older row id file',
      make: (dir) => note(dir, '{"span":1,"trace":1,"session":1,"annotation":1}'),
      told: /Span store: spans.row-ids.json is older than the database/,
    },
  ],
  [
    {
      what: 'an index that lacks a row',
      sql: [
        `update pg_index set indisready = false, indislive = false where indexrelid = 'dataset_labels_name_key'::regclass`,
        `insert into dataset_labels (name, color) values ('not indexed', '#000000')`,
        `update pg_index set indisready = true, indislive = true where indexrelid = 'dataset_labels_name_key'::regclass`,
      ],
      told: /Metadata: dataset_labels_name_key: heap tuple .* lacks matching index tuple/,
    },
    {
      what: 'a span store that is older than the examples',
      sql: ['update dataset_examples set span_row_id = 1000'],
      told: /Metadata: dataset_examples: 1 were created from spans that the span store does not contain yet/,
    },
    {
      what: 'rows without a parent',
      sql: ['set session_replication_role = replica', 'delete from datasets'],
      told: /Metadata: dataset_examples: 1 rows refer to missing rows of datasets/,
    },
    {
      what: 'a damaged page of a table',
      make: (_, paths) => scribble(paths.get('prompt_versions')!),
      told: /Metadata: prompt_versions: .*(invalid page|checksum)/,
    },
    {
      what: 'a damaged page of an index',
      make: (_, paths) => scribble(paths.get('prompts_name_key')!),
      told: /Metadata: prompts_name_key: .*(invalid page|checksum)/,
    },
    {
      what: 'a truncated table',
      make: (_, paths) => truncateSync(paths.get('annotation_configs')!, 0),
      told: /Metadata: annotation_configs: (it has 0 rows, and its primary key has 1|could not read)/,
    },
    {
      what: 'a missing key',
      make: (dir) => rmSync(join(dir, 'encryption-key')),
      told: /Keys: there is no key to decrypt 1 of 1 stored credentials \(custom provider own\)/,
    },
    {
      what: 'a truncated catalog of Postgres',
      make: (_, paths) => truncateSync(paths.get('pg_proc')!, statSync(paths.get('pg_proc')!).size - 4 * 8_192),
      told: /Metadata: pg_proc: (it has \d+ rows, and its primary key has \d+|could not read)/,
    },
    {
      what: 'a damaged visibility map',
      make: (_, paths) => scribble(`${paths.get('pg_description')}_vm`),
      told: /Metadata: pg_description \(base\/5\/\d+_vm\): 1 of 1 pages do not match their checksum, page 0 first/,
    },
    {
      what: 'a damaged catalog of another database in the same Postgres',
      make: (dir) => scribble(join(dir, 'postgres/data/base/1/1255')),
      told: /Metadata: base\/1\/1255: (\d+) of \1 pages do not match their checksum, page 0 first/,
    },
    {
      what: 'a file that ends in the middle of a page',
      make: (dir) => truncateSync(join(dir, 'postgres/data/base/4/1255'), 100_000),
      told: /Metadata: base\/4\/1255: it ends in the middle of page 12/,
    },
    {
      what: 'a missing id of the directory',
      make: (dir) => rmSync(join(dir, 'installation-id')),
      told: /Metadata: it belongs to the data directory .*, but this one has no ID/,
    },
    {
      what: 'an invalid row id file',
      make: (dir) => note(dir, '{"span": 3'),
      told: /Span store: spans.row-ids.json cannot be read/,
    },
  ],
  [
    {
      what: 'tables of a newer program',
      sql: [`insert into spandrel_migrations values ('0999-future', now()::text)`],
      told: /Metadata: its tables are newer than this program: 0999-future/,
    },
    {
      what: 'a key that all users can read',
      make: (dir) => chmodSync(join(dir, 'encryption-key'), 0o644),
      told: /encryption-key is readable by other users/,
    },
    {
      what: 'a missing row id file',
      make: (dir) => rmSync(join(dir, 'spans/spans.row-ids.json')),
      told: /Span store: there is no spans.row-ids.json/,
    },
  ],
  [
    {
      what: 'a missing Postgres',
      make: (dir) => rmSync(join(dir, 'postgres'), { recursive: true }),
      told: /Metadata: there is no Postgres in .*spans belong to 2 projects/,
    },
    {
      what: 'a truncated key',
      make: (dir) => truncateSync(join(dir, 'encryption-key'), 31),
      told: /encryption-key has 31 bytes, but a key has 32/,
    },
    {
      what: 'an invalid id of the directory',
      make: (dir) => writeFileSync(join(dir, 'installation-id'), 'x'),
      told: /installation-id contains no ID/,
    },
    {
      what: 'a row id file without one of the ids',
      make: (dir) => note(dir, '{"span": 99}'),
      told: /Span store: spans.row-ids.json has no row id of a trace/,
    },
    {
      what: 'a missing journal',
      make: (dir) => rmSync(join(dir, 'journal'), { recursive: true }),
      told: /The journal ends at position 0, before the span store's/,
    },
  ],
  [
    {
      what: 'a Postgres without its version',
      make: (dir) => rmSync(join(dir, 'postgres/data/PG_VERSION')),
      told: /Metadata: it has no PG_VERSION/,
    },
    {
      what: 'a span store that is not a database',
      make: (dir) => writeFileSync(join(dir, 'spans/spans.duckdb'), 'not a database'),
      told: /Span store: /,
    },
  ],
  [
    {
      what: 'a Postgres of another version',
      make: (dir) => writeFileSync(join(dir, 'postgres/data/PG_VERSION'), '17\n'),
      told: /Metadata: .*was created by Postgres 17/,
    },
  ],
  [
    {
      what: 'a damaged control file of Postgres',
      make: (dir) => scribble(join(dir, 'postgres/data/global/pg_control'), 16),
      told: /Metadata: it does not start/,
    },
  ],
  [
    {
      what: 'a missing log of Postgres',
      make: (dir) => {
        const wal = join(dir, 'postgres/data/pg_wal');
        for (const name of readdirSync(wal)) if (/^[0-9A-F]{24}$/.test(name)) rmSync(join(wal, name));
      },
      told: /Metadata: it does not start/,
    },
  ],
  [
    {
      what: 'a missing password of Postgres',
      make: (dir) => rmSync(join(dir, 'postgres/data/spandrel.password')),
      told: /Metadata: it does not start/,
    },
  ],
];

const note = (dir: string, text: string) => writeFileSync(join(dir, 'spans/spans.row-ids.json'), text);

const isMountable = await canMount();
const UUID = Buffer.from('00112233445566778899aabbccddeeff', 'hex');

describe('spandrel check', () => {
  const cleanUpAll = cleanUpAfter(after);
  let template: string;
  before(async () => {
    template = await fill(cleanUpAll, {});
  });
  const copyOf = async (cleanUp: CleanUp) => {
    const dir = join(await temporaryDirectory(cleanUp), 'data');
    await run('cp', ['-a', template, dir]);
    return dir;
  };
  const inspect = (dir: string, env: Readonly<Record<string, string>> = {}) =>
    check(readConfig({ env: { SERVICE_WORKING_DIR: dir, ...env } }).config);

  test('finds no problem in an undamaged directory, and changes nothing in it', async (t) => {
    const dir = await copyOf(cleanUpAfter((work) => t.after(work)));
    const before_ = contentOf(dir);

    const { facts, problems } = await inspect(dir);

    assert.deepEqual(problems, []);
    assert.match(
      facts.join('\n'),
      /Metadata: \d+ rows in \d+ tables\nMetadata: \d+ entries of the audit log\nKeys: 1 stored credentials can be decrypted/,
    );
    assert.deepEqual(contentOf(dir), before_);
  });

  test('reads a directory that is mounted read-only, and whose files are protected from writes', {
    skip: !isMountable && 'cannot mount',
  }, async (t) => {
    const cleanUp = cleanUpAfter((work) => t.after(work));
    const dir = await copyOf(cleanUp);
    const mounted = join(await temporaryDirectory(cleanUp), 'backup');
    await mkdir(mounted);
    await run('mount', ['--bind', dir, mounted]);
    cleanUp(async () => void (await run('umount', [mounted])));
    await run('mount', ['-o', 'remount,ro,bind', mounted]);
    assert.throws(() => writeFileSync(join(mounted, 'x'), ''), { code: 'EROFS' });

    await run('chmod', ['-R', 'a-w', dir]);
    assert.deepEqual((await inspect(mounted)).problems, []);
    rmSync(join(dir, 'encryption-key'));
    assert.match((await inspect(mounted)).problems.join(), /there is no key/);
  });

  test('finds no problem after a server and its Postgres were killed', async (t) => {
    const cleanUp = cleanUpAfter((work) => t.after(work));
    const dir = await copyOf(cleanUp);
    const server = await startServer({ dataDir: dir });
    cleanUp(() => server.kill9());
    await send(server.url, 'third', 'late');
    assert.equal((await fetch(`${server.url}/v1/projects/second`, { method: 'DELETE' })).status, 204);
    await server.kill9();

    assert.deepEqual((await inspect(dir)).problems, []);
  });

  test('reads an external Postgres by its URL', async (t) => {
    const cleanUp = cleanUpAfter((work) => t.after(work));
    const env = { SERVICE_SQL_DATABASE_URL: await (await openTestPostgres(cleanUp)).newDatabase() };
    const dir = await fill(cleanUp, env);
    assert.deepEqual((await inspect(dir, env)).problems, []);

    await query(env.SERVICE_SQL_DATABASE_URL, "delete from projects where name = 'second'");

    assert.match((await inspect(dir, env)).problems.join(), /Metadata: projects: spans belong to 3/);
    assert.match((await inspect(dir)).problems.join(), /there is no Postgres in .*SERVICE_SQL_DATABASE_URL/);
  });

  for (const group of DAMAGES) {
    test(`reports ${group.map(({ what }) => what).join(', ')}`, async (t) => {
      const dir = await copyOf(cleanUpAfter((work) => t.after(work)));
      const paths = new Map<string, string>();
      if (group.some(({ sql }) => sql)) {
        const files = `select name, pg_relation_filepath(name::regclass) as path from unnest('{${RELATIONS}}'::text[]) as name`;
        const rows = await alter(dir, ...group.flatMap(({ sql = [] }) => sql), files);
        for (const { name, path } of rows) paths.set(String(name), join(dir, 'postgres/data', String(path)));
      }
      for (const { make } of group) make?.(dir, paths);

      const problems = (await inspect(dir)).problems.join('\n');

      for (const { told } of group) assert.match(problems, told);
    });
  }
});

/** A data directory with data in every store, as a stopped server leaves it. */
async function fill(cleanUp: CleanUp, env: Readonly<Record<string, string>>): Promise<string> {
  const dataDir = await temporaryDirectory(cleanUp);
  const server = await startServer({ dataDir, env });
  cleanUp(() => server.kill9());
  const post = async (path: string, body: object) => {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${server.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    const text = await response.text();
    assert.ok(response.status < 300 && !/"errors"/.test(text), `${path} ${response.status} ${text}`);
  };
  await send(server.url, 'first', 'a');
  await send(server.url, 'second', 'b');
  await post('/v1/datasets/upload?sync=true', { name: 'd', inputs: [{ n: 1 }] });
  await post('/v1/span_annotations?sync=true', {
    data: [
      { span_id: idOf('a').subarray(8).toString('hex'), name: 'good', annotator_kind: 'HUMAN', result: { score: 1 } },
    ],
  });
  await post('/v1/prompts', {
    prompt: { name: 'p' },
    version: {
      model_provider: 'OPENAI',
      model_name: 'gpt-4o',
      template: { type: 'chat', messages: [{ role: 'user', content: 'x' }] },
      template_type: 'CHAT',
      template_format: 'NONE',
      invocation_parameters: { type: 'openai', openai: {} },
    },
  });
  await post('/graphql', {
    query: `mutation { createGenerativeModelCustomProvider(input: { name: "own", provider: "openai", clientConfig: { openai: {
      openaiAuthenticationMethod: { apiKey: "sk-secret" } } } }) { provider { id } } }`,
  });
  assert.deepEqual(await server.stop(), { code: 0, signal: null });
  return dataDir;
}

const idOf = (name: string) => Buffer.from([...UUID.subarray(0, 15), name.charCodeAt(0)]);

async function send(url: string, project: string, name: string): Promise<void> {
  const sender = openHttpSender(url);
  const [startTimeUnixNano, endTimeUnixNano] = [1_770_000_000_000_000_000n, 1_770_000_001_000_000_000n];
  const attributes = {
    'openinference.span.kind': 'LLM',
    'llm.model_name': 'gpt-4o',
    'llm.token_count.prompt': 100,
    'llm.token_count.completion': 10,
    'session.id': 's',
  };
  const ids = { traceId: idOf(name), spanId: idOf(name).subarray(8) };
  const span = { ...ids, name, startTimeUnixNano, endTimeUnixNano, attributes };
  assert.ok((await sender.send(encodeTraceRequest({ project, spans: [span] }))).isAcknowledged);
  sender.close();
  await spansOnceThere(url, project, 1);
}

/** Bytes and mode of every file by path, except for the lock, which the check takes and releases. */
function contentOf(dir: string): Record<string, string> {
  const entries = readdirSync(dir, { recursive: true, withFileTypes: true });
  return Object.fromEntries(
    entries
      .filter((entry) => entry.isFile() && !/^\.lock-\d+\.json$/.test(entry.name))
      .map((entry) => {
        const path = join(entry.parentPath, entry.name);
        return [path, `${statSync(path).mode} ${statSync(path).mtimeMs} ${readFileSync(path).toString('base64')}`];
      }),
  );
}

async function canMount(): Promise<boolean> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  return run('unshare', ['-m', 'true']).then(
    () => true,
    () => false,
  );
}
