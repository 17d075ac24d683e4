import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Registry } from 'prom-client';
import type { ExactJsonObject } from '../../src/base/exact-json.ts';
import { silentLog } from '../../src/base/log.ts';
import { parseExactJson } from '../../src/base/parse-exact-json.ts';
import { groupRepository } from '../../src/metadata-store/access/groups.ts';
import { userRepository } from '../../src/metadata-store/access/users.ts';
import { TABLE_NAMES } from '../../src/metadata-store/database/database.ts';
import { MIGRATION_TABLE_NAMES } from '../../src/metadata-store/database/migrate.ts';
import { datasetRepository } from '../../src/metadata-store/datasets/dataset-repository.ts';
import { evaluatorRepository } from '../../src/metadata-store/evaluators/evaluator-repository.ts';
import { openMetadataStore } from '../../src/metadata-store/metadata-store.ts';
import { customProviderRepository } from '../../src/metadata-store/models/custom-providers.ts';
import { moveDatabase } from '../../src/metadata-store/move-database.ts';
import { createProject, deleteProject, findProject, listProjects } from '../../src/metadata-store/projects/projects.ts';
import { promptRepository } from '../../src/metadata-store/prompts/prompt-repository.ts';
import { BUILT_IN_EVALUATORS } from '../../src/domain/evaluators/built-in-evaluators.ts';
import {
  cleanUpAfter,
  openTestPostgres,
  openTestStore,
  query,
  storeOptions,
  type TestPostgres,
  temporaryDirectory,
} from './fixtures.ts';
import { runStoreProcess } from './run-store-process.ts';

const CONTENT = {
  description: 'tab\t and \\N',
  modelProvider: 'OPENAI',
  modelName: 'gpt-4o',
  template: { type: 'chat', messages: [{ role: 'user', content: 'line\nline\\.' }] },
  templateFormat: 'NONE',
  invocationParameters: { type: 'openai', openai: {} },
  tools: null,
  responseFormat: null,
} as const;

describe('moving the metadata', () => {
  let server: TestPostgres;
  const cleanUpAll = cleanUpAfter(after);
  before(async () => {
    server = await openTestPostgres(cleanUpAll);
  });

  const move = async (source: string, target: string, schema?: string) => {
    const lines: string[] = [];
    const onProgress = (line: string) => void lines.push(line);
    await moveDatabase(source, target, { log: silentLog, onProgress, ...(schema !== undefined && { schema }) });
    return lines;
  };

  test('from a data directory copies every row and column, and no row id is allocated twice', async (t) => {
    const cleanUp = cleanUpAfter((work) => t.after(work));
    const dataDir = await temporaryDirectory(cleanUp);
    const before = await openMetadataStore(storeOptions({ dataDir }));
    const odd = await createProject(before.db, { name: 'tab\t, \\N and Ü', description: 'line\nline\\.' });
    const last = await createProject(before.db, { name: 'last', description: '' });
    await deleteProject(before.db, last, 1);
    const projects = await listProjects(before.db, { limit: 100 });
    const prompts = promptRepository(before.db);
    const metadata = parseExactJson('{"z":1.0,"a":9007199254740993,"t":"\\t\\\\ \\u0000"}', {
      depthMax: 1,
    }) as ExactJsonObject;
    const providers = customProviderRepository(before.db);
    const provider = await providers.create({
      name: 'own',
      description: null,
      provider: 'openai',
      sdk: 'openai',
      sealedConfig: Buffer.from([0, 255, 10, 92]),
      userId: null,
    });
    const content = { ...CONTENT, customProviderId: provider.rowId };
    const version = await prompts.addVersion({ new: { name: 'p', metadata } }, content, [{ name: 'production' }], null);
    const cloneId = await prompts.clone(version!.promptId, { name: 'clone' });
    const evaluators = evaluatorRepository(before.db);
    await evaluators.syncBuiltIn(BUILT_IN_EVALUATORS);
    const datasetId = await datasetRepository(before.db).create({
      name: 'd',
      description: null,
      metadata: '{}',
      userId: null,
    });
    const bound = await evaluators.bindLlm({
      datasetRowId: datasetId,
      name: 'judge',
      description: 'tab\t',
      inputMapping: { paths: { 'ü\t': '$' }, literals: { '\\N': '\\.' } },
      outputConfigs: [],
      prompt: { content: CONTENT },
      projectName: 'of judge',
      projectDescription: '',
      userId: null,
    });
    const [builtInId] = await evaluators.listBuiltInIds();
    const binding = (await evaluators.findBound([bound as number])).get(bound as number)!;
    const groups = groupRepository(before.db);
    const group = await groups.create({ displayName: 'g', externalId: null });
    const user = {
      username: 'u',
      email: 'u@example.com',
      role: 'MEMBER',
      authMethod: 'OAUTH2',
      passwordHash: null,
    } as const;
    const member = (await userRepository(before.db).create(user)).rowId;
    await groups.changeMembers(group.rowId, { removed: [], added: [member] });
    await before.close();
    const url = await server.newDatabase('empty');
    // A server that was started there has put its own evaluators into it.
    const target = await openMetadataStore(storeOptions({ url }));
    await evaluatorRepository(target.db).syncBuiltIn(BUILT_IN_EVALUATORS);
    await target.close();

    const lines = await move(dataDir, url);

    const { db } = await openTestStore(cleanUp, { url });
    assert.deepEqual(await listProjects(db, { limit: 100, isOutsideEvaluators: true }), projects);
    assert.deepEqual(await findProject(db, { rowId: odd.rowId }), odd);
    assert.ok((await createProject(db, { name: 'next', description: null })).rowId > last.rowId);
    assert.equal(lines[0], 'Both databases are up to date');
    assert.ok(lines.includes('projects: 3 rows') && lines.includes('deleted_projects: 1 row'));
    const moved = promptRepository(db);
    assert.deepEqual(
      await customProviderRepository(db).findByRowIds([provider.rowId]),
      new Map([[provider.rowId, provider]]),
    );
    assert.equal(version!.customProviderId, provider.rowId);
    assert.deepEqual(await moved.findTaggedVersion({ name: 'p' }, 'production'), version);
    assert.deepEqual((await moved.findByRowIds([version!.promptId])).get(version!.promptId)?.metadata, metadata);
    assert.equal((await moved.findByRowIds([cloneId!])).get(cloneId!)?.sourcePromptId, version!.promptId);
    const movedEvaluators = evaluatorRepository(db);
    assert.deepEqual((await movedEvaluators.findBound([binding.rowId])).get(binding.rowId), binding);
    assert.equal((await movedEvaluators.findLlm([binding.evaluator.rowId])).size, 1);
    assert.equal((await groupRepository(db).listMembers([group.rowId], 2))[0]?.userRowId, member);
    await movedEvaluators.syncBuiltIn(BUILT_IN_EVALUATORS);
    assert.equal((await movedEvaluators.listBuiltInIds())[0], builtInId);
    assert.match(lines.at(-1)!, /^Moved\. Set SERVICE_SQL_DATABASE_URL to postgresql:\/\/spandrel:\*\*\*@/);
    // The source stays.
    const source = await openTestStore(cleanUp, { dataDir });
    assert.deepEqual(await listProjects(source.db, { limit: 100, isOutsideEvaluators: true }), projects);
  });

  test('from a URL works too, and in a schema', async (t) => {
    const cleanUp = cleanUpAfter((work) => t.after(work));
    const [from, to] = [await server.newDatabase('empty'), await server.newDatabase('empty')];
    const source = await openTestStore(cleanUp, { url: from, schema: 'meta' });
    await createProject(source.db, { name: 'moved', description: null });

    await move(from, to, 'meta');

    const target = await openTestStore(cleanUp, { url: to, schema: 'meta' });
    assert.ok(await findProject(target.db, { name: 'moved' }));
  });

  test('copies many rows completely', async (t) => {
    const cleanUp = cleanUpAfter((work) => t.after(work));
    const [from, to] = [await server.newDatabase('empty'), await server.newDatabase('empty')];
    await (await openMetadataStore(storeOptions({ url: from }))).close();
    await query(
      from,
      "insert into projects (name, description) select 'p' || n, repeat(md5(n::text), 10) from generate_series(1, 50000) n",
    );

    const lines = await move(from, to);

    const sum = 'select count(*)::int as count, md5(string_agg(p::text, $$,$$ order by id)) as md5 from projects p';
    assert.deepEqual(await query(to, sum), await query(from, sum));
    assert.ok(lines.includes('projects: 50001 rows'));
    const target = await openTestStore(cleanUp, { url: to });
    assert.ok(await findProject(target.db, { name: 'p50000' }));
  });

  test('to a database with rows is rejected, and changes nothing there', async (t) => {
    const cleanUp = cleanUpAfter((work) => t.after(work));
    const [from, to] = [await server.newDatabase('empty'), await server.newDatabase('empty')];
    const target = await openTestStore(cleanUp, { url: to });
    await createProject(target.db, { name: 'theirs', description: null });

    await assert.rejects(move(from, to), { message: /target database is not empty: projects has 1 rows/ });

    assert.deepEqual(
      (await listProjects(target.db, { limit: 10 })).items.map(({ name }) => name),
      ['theirs', 'default'],
    );
  });

  test('from the directory of a running server is rejected', async (t) => {
    const cleanUp = cleanUpAfter((work) => t.after(work));
    const dataDir = await temporaryDirectory(cleanUp);
    const running = await runStoreProcess(cleanUp, { dataDir });
    assert.equal(running.reply.opened, true);

    await assert.rejects(move(dataDir, await server.newDatabase('empty')), {
      message: /Another server uses .*Stop that server/,
    });
  });

  test('covers every table', async (t) => {
    const cleanUp = cleanUpAfter((work) => t.after(work));
    const url = await server.newDatabase('empty');
    await openTestStore(cleanUp, { url, registry: new Registry() });

    const tables = await query<{ name: string }>(
      url,
      "select table_name as name from information_schema.tables where table_schema = 'public'",
    );

    assert.deepEqual(tables.map(({ name }) => name).toSorted(), [...TABLE_NAMES, ...MIGRATION_TABLE_NAMES].toSorted());
  });
});
