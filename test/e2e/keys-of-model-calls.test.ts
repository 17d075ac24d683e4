import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { MODEL_VENDORS } from '../../src/model/models/model-vendors.ts';
import { cleanUpAfter, openTestPostgres, query } from '../metadata-store/fixtures.ts';
import { categorical, mapping, promptOf } from '../api/graphql/evaluator-fixtures.ts';
import { ACCEPT, readPayloads } from '../api/graphql/subscriptions/stream-readers.ts';
import { connectToEndpoint, PROVIDER_CASES, type ProviderCase } from '../api/playground/provider-cases.ts';
import { PARAMETERS_OF, providerAt } from '../api/playground/providers-at-endpoint.ts';
import type { VendorAnswer } from '../vendor-endpoint/vendor-answer.ts';
import { VENDOR_PROTOCOLS, type VendorCall } from '../vendor-endpoint/vendor-call.ts';
import { openVendorEndpoint } from '../vendor-endpoint/vendor-endpoint.ts';
import { makeDataDir, removeDataDir, startServer } from './server-process.ts';

const CELLS = `subscription ($input: ChatCompletionCellsInput!) { chatCompletionCells(input: $input) { key payload {
  __typename ... on TextChunk { content } ... on ChatCompletionSubscriptionError { message }
  ... on ChatCompletionSubscriptionResult { span { id statusCode attributes } } } } }`;
const OVER_DATASET = `subscription ($input: ChatCompletionOverDatasetInput!) { chatCompletionOverDataset(input: $input) {
  __typename ... on ChatCompletionSubscriptionError { message experimentRun { error } } } }`;
const PREVIEW = `mutation ($input: EvaluatorPreviewsInput!) { evaluatorPreviews(input: $input) { results {
  error annotation { label } } } }`;
const SET_SECRETS = `mutation ($input: UpsertOrDeleteSecretsMutationInput!) {
  upsertOrDeleteSecrets(input: $input) { __typename } }`;
const SPANS = `{ projects(first: 10) { edges { node { name spans(first: 1000) { edges { node {
  name statusCode statusMessage attributes events { name message } input { value } output { value } } } } } } } }`;
const JOBS = `{ datasets(first: 2) { edges { node { experiments(first: 2) { edges { node { metadata description
  job { lastError { message } errors(first: 20) { edges { node { message } } }
    taskConfig { connection { __typename } prompt { modelName } } }
  runs(first: 20) { edges { node { error output } } } } } } } } } }`;

const newKey = (name: string) => `${name.toLowerCase().replaceAll('_', '-')}-${randomBytes(20).toString('hex')}`;

/** What each case asks for. The endpoint repeats the headers and the address of a failing call, and so every key. */
const PROMPTS = [
  '[[say fine]]',
  'REPEAT 400',
  'REPEAT 401',
  'REPEAT 429',
  'REPEAT 500',
  'REDIRECT',
  '[[fault garbage]]',
];

function answer({ prompt, headers, path }: VendorCall): VendorAnswer | undefined {
  const repeated = `${JSON.stringify(headers)} ${path}`;
  const status = /REPEAT (\d+)/.exec(prompt.text)?.[1];
  if (status) return { fault: { type: 'status', status: Number(status), message: `This is wrong: ${repeated}` } };
  if (!prompt.text.includes('REDIRECT')) return undefined;
  return { fault: { type: 'redirect', to: `http://127.0.0.1:9/?all=${encodeURIComponent(repeated)}` } };
}

test('keys of model calls are in no span, response, log, row or file', async (t) => {
  const cleanUp = cleanUpAfter((work) => t.after(work));
  const endpoint = await openVendorEndpoint({ after: cleanUp }, { answer });
  const postgres = await openTestPostgres(cleanUp);
  const databaseUrl = await postgres.newDatabase();
  const dataDir = await makeDataDir({ isEmpty: true });
  cleanUp(() => removeDataDir(dataDir));

  const names = [
    ...new Set(PROVIDER_CASES.flatMap(({ provider }) => MODEL_VENDORS[provider].credentials.map(({ name }) => name))),
  ];
  const keysOf = (source: string) => new Map(names.map((name) => [name, newKey(`${source}-${name}`)]));
  const [ofEnvironment, ofStore, ofRequest] = [keysOf('environment'), keysOf('stored'), keysOf('request')];
  const header = newKey('header');
  const own = newKey('custom');
  const server = await startServer({
    dataDir,
    env: {
      ...Object.fromEntries(ofEnvironment),
      SERVICE_SQL_DATABASE_URL: databaseUrl,
      SERVICE_MODEL_KEY_HOSTS: names.map((name) => `${name}=127.0.0.1`).join(';'),
      SERVICE_LOG_SQL: 'true',
      SERVICE_LOGGING_LEVEL: 'debug',
    },
  });
  cleanUp(() => server.kill9());
  const responses: string[] = [];

  async function send(text: string, variables: object, accept = 'application/json') {
    const response = await fetch(`${server.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept },
      body: JSON.stringify({ query: text, variables }),
    });
    responses.push(await response.clone().text());
    return response;
  }
  async function ask(text: string, variables: object = {}) {
    const response = await send(text, variables);
    // biome-ignore lint/suspicious/noExplicitAny: the query determines the shape
    const { data, errors } = (await response.json()) as { readonly data: any; readonly errors?: object };
    assert.equal(errors, undefined, JSON.stringify(errors));
    return data;
  }

  const promptVersion = (given: object) => ({
    templateFormat: 'MUSTACHE',
    template: { messages: [{ role: 'USER', content: [{ text: { text: '{{what}}' } }] }] },
    ...given,
  });
  const variantOf = (given: ProviderCase, credentials: ReadonlyMap<string, string>) => {
    const { model, connectionConfig } = connectToEndpoint(given, endpoint.url);
    const version = {
      modelProvider: given.provider,
      modelName: model,
      invocationParameters: PARAMETERS_OF[given.protocol],
    };
    return {
      promptVersion: promptVersion(version),
      connectionConfig,
      headers: { 'x-gateway-key': header },
      credentials: MODEL_VENDORS[given.provider].credentials.flatMap(({ name }) => {
        const value = credentials.get(name);
        return value === undefined ? [] : [{ envVarName: name, value }];
      }),
    };
  };

  /** Runs each prompt with each variant, streamed and whole. */
  async function runAll(variants: readonly object[]): Promise<void> {
    const both = variants.flatMap((one) =>
      [true, false].map((streamModelOutput) => ({ ...one, repetitions: 1, streamModelOutput })),
    );
    const cells = both.flatMap((_, variant) =>
      PROMPTS.map((what) => ({ key: `${variant} ${what}`, variant, variables: { what } })),
    );
    const input = { variants: both, cells, maxConcurrency: 16 };
    const payloads = await readPayloads(await send(CELLS, { input }, ACCEPT.sse));
    const results = payloads.flatMap(({ data, errors }) => {
      const { key, payload } = data?.chatCompletionCells ?? assert.fail(JSON.stringify(errors));
      return payload.__typename === 'ChatCompletionSubscriptionResult'
        ? [[key, payload.span?.statusCode] as const]
        : [];
    });
    assert.equal(results.length, cells.length, JSON.stringify(payloads.at(-1)));
    for (const [key, status] of results) assert.equal(status, key.includes('[[say') ? 'OK' : 'ERROR', key);
  }
  const arrived = () => JSON.stringify(endpoint.calls.map(({ headers, path }) => [headers, path]));

  await runAll(PROVIDER_CASES.map((given) => variantOf(given, new Map())));
  const secrets = [...ofStore].map(([key, value]) => ({ key, value, hosts: ['127.0.0.1'] }));
  await ask(SET_SECRETS, { input: { secrets } });
  await runAll(PROVIDER_CASES.map((given) => variantOf(given, new Map())));
  await runAll(PROVIDER_CASES.map((given) => variantOf(given, ofRequest)));
  const providers: object[] = [];
  for (const protocol of VENDOR_PROTOCOLS) providers.push(await providerAt({ ask }, protocol, endpoint.url, own));
  await runAll(
    providers.map((provider) => ({ promptVersion: promptVersion(provider), headers: { 'x-gateway-key': header } })),
  );

  // Judges, and a job that runs with the credentials of a request.
  const previews = [...providers, { modelProvider: 'OPENAI' }].map((provider) => ({
    evaluator: {
      inlineLlmEvaluator: {
        name: 'inline',
        promptVersion: promptOf(provider),
        outputConfigs: [categorical('quality')],
      },
    },
    ...{ context: { output: 'REPEAT 401' }, inputMapping: mapping() },
  }));
  const credentials = [{ envVarName: 'OPENAI_API_KEY', value: ofRequest.get('OPENAI_API_KEY') }];
  const judged = (await ask(PREVIEW, { input: { previews, credentials } })).evaluatorPreviews.results;
  assert.ok(judged.every(({ error }: { error: string | null }) => error));
  const { createDataset } = await ask('mutation { createDataset(input: { name: "of-keys" }) { dataset { id } } }');
  const datasetId = createDataset.dataset.id;
  await ask(
    'mutation ($input: AddExamplesToDatasetInput!) { addExamplesToDataset(input: $input) { dataset { id } } }',
    { input: { datasetId, examples: PROMPTS.map((what) => ({ input: { what }, output: {}, metadata: {} })) } },
  );
  const task = variantOf(PROVIDER_CASES[0]!, ofRequest);
  const job = await readPayloads(
    await send(OVER_DATASET, { input: { ...task, repetitions: 1, datasetId } }, ACCEPT.sse),
  );
  assert.ok(job.length > PROMPTS.length, JSON.stringify(job));

  const seen = arrived();
  const places: Record<string, string> = {
    spans: JSON.stringify(await ask(SPANS)),
    jobs: JSON.stringify(await ask(JOBS)),
    responses: responses.join('\n'),
    database: await dump(databaseUrl),
  };
  await server.stop();
  places.log = server.output();
  for (const path of filesIn(dataDir)) places[path] = readFileSync(path, 'latin1');

  // What is searched is there, and the keys were used.
  assert.match(places.spans!, /This is wrong/);
  assert.match(places.jobs!, /This is wrong/);
  assert.match(places.database!, /of-keys/);
  assert.ok(Object.values(places).some((text) => text.includes('REPEAT 401')));
  const isVisible = (name: string) => !name.includes('AWS_SECRET');
  for (const keys of [ofEnvironment, ofStore, ofRequest]) {
    for (const [name, key] of keys) {
      if (isVisible(name)) assert.ok(seen.includes(key), `${name} has arrived`);
    }
  }
  for (const key of [header, own]) assert.ok(seen.includes(key));

  const all = [
    ...[ofEnvironment, ofStore, ofRequest].flatMap((keys) => [...keys]),
    ['header', header],
    ['own', own],
  ] as const;
  for (const [name, key] of all) {
    for (const form of formsOf(key)) {
      for (const [place, text] of Object.entries(places))
        assert.ok(!text.includes(form), `${name} ${key} is in ${place}`);
    }
  }
});

function formsOf(key: string): string[] {
  const bytes = Buffer.from(key);
  // Base64 of a text inside another one has one of three forms, without its first and last characters.
  const base64 = [0, 1, 2].map((shift) =>
    Buffer.concat([Buffer.alloc(shift), bytes])
      .toString('base64')
      .slice(4, -4),
  );
  return [key, bytes.toString('hex'), encodeURIComponent(key), ...base64];
}

/** Every row of every table as text. */
async function dump(url: string): Promise<string> {
  const tables = await query<{ name: string }>(
    url,
    "select quote_ident(table_schema) || '.' || quote_ident(table_name) as name from information_schema.tables where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')",
  );
  assert.ok(tables.length > 30, `${tables.length} tables`);
  const texts: string[] = [];
  for (const { name } of tables) {
    const rows = await query<{ row: string }>(url, `select t::text as row from ${name} t`);
    texts.push(...rows.map(({ row }) => row));
  }
  return texts.join('\n');
}

const filesIn = (dir: string): string[] =>
  readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
