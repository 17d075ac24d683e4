import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { encodeTraceRequest } from './otlp-request.ts';
import { openHttpSender } from './otlp-sender.ts';
import { eventually, listSpans } from './rest.ts';
import { makeDataDir, removeDataDir, type ServerProcess, startServer } from './server-process.ts';

/** Property names of every plain object. */
const NAMES = Object.getOwnPropertyNames(Object.prototype);
const PROJECT = 'named';
const idOf = (index: number, digits: number) => (index + 1).toString(16).padStart(digits, '0');

describe('names that every object inherits', () => {
  let server: ServerProcess;
  let dataDir: string;

  const send = async (method: string, path: string, body?: unknown, type = 'application/json') => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const response = await fetch(server.url + path, {
      method,
      ...(body !== undefined && { body: text, headers: { 'content-type': type } }),
    });
    return { status: response.status, text: await response.text() };
  };
  const ask = async (query: string, variables: object, names: object = {}) => {
    const { status, text } = await send('POST', '/graphql', { query, variables, ...names });
    assert.equal(status, 200, text);
    const answer = JSON.parse(text) as { data: Record<string, never> | null; errors?: { message: string }[] };
    for (const { message } of answer.errors ?? []) assert.notEqual(message, 'an unexpected error occurred', query);
    return answer;
  };
  /** The response is neither an internal error nor malformed. */
  const isRejectedOrAccepted = ({ status, text }: { status: number; text: string }, what: string) =>
    assert.ok(status < 500 && status !== 404, `${what}: ${status} ${text}`);

  before(async () => {
    dataDir = await makeDataDir();
    server = await startServer({ dataDir });
    const sender = openHttpSender(server.url);
    const spans = NAMES.map((name, index) => ({
      traceId: idOf(index, 32),
      spanId: idOf(index, 16),
      name,
      startTimeUnixNano: 1_770_000_000_000_000_000n,
      endTimeUnixNano: 1_770_000_001_000_000_000n,
      attributes: [
        [name, `root ${index}`],
        [`own.${name}`, `nested ${index}`],
        [`metadata`, JSON.stringify({ [name]: `meta ${index}` })],
        [`llm.token_count.prompt_details.${name}`, 1],
        ['gen_ai.operation.name', name],
        ['gen_ai.system', name],
        ['openinference.span.kind', name],
        ['session.id', name],
      ] as const,
    }));
    assert.ok((await sender.send(encodeTraceRequest({ project: PROJECT, spans }))).isAcknowledged);
    sender.close();
    await eventually(async () => assert.equal((await listSpans(server.url, PROJECT)).length, NAMES.length));
    for (const [target, of] of [
      ['span', (index: number) => idOf(index, 16)],
      ['trace', (index: number) => idOf(index, 32)],
      ['session', (index: number) => NAMES[index]!],
    ] as const) {
      const data = NAMES.map((name, index) => ({
        [`${target}_id`]: of(index),
        name,
        annotator_kind: 'CODE',
        result: { label: name, score: index },
        metadata: { [name]: name },
      }));
      const made = await send('POST', `/v1/${target}_annotations?sync=true`, { data });
      assert.equal(made.status, 200, made.text);
    }
  });

  after(async () => {
    await server.stop();
    await removeDataDir(dataDir);
  });

  test('are keys of attributes like any other, over OTLP and REST', async () => {
    for (const { name, context, attributes } of await listSpans(server.url, PROJECT)) {
      const index = NAMES.indexOf(name);
      assert.equal(context.trace_id, idOf(index, 32));
      assert.ok(Object.hasOwn(attributes, name), name);
      assert.equal(Object.getOwnPropertyDescriptor(attributes, name)?.value, `root ${index}`);
      assert.equal(Object.getOwnPropertyDescriptor(attributes, `own.${name}`)?.value, `nested ${index}`);
    }
  });

  for (const [index, name] of NAMES.entries()) {
    test(`select spans in filters: ${name}`, async () => {
      const filters = [
        `attributes['${name}'] == 'root ${index}'`,
        `${name} == 'root ${index}'`,
        `'root ${index}' in attributes['${name}'] and attributes['${name}'] is not None`,
        `own.${name} == 'nested ${index}'`,
        `attributes['own']['${name}'] in ['nested ${index}', 'x']`,
        `metadata['${name}'] == 'meta ${index}'`,
        `annotations['${name}'].score == ${index}`,
        `trace_annotations['${name}'].label == '${name}'`,
        `session.id == '${name}'`,
      ];
      for (const filter of filters) {
        const { data, errors } = await ask(
          'query($f:String!,$p:String!){getProjectByName(name:$p){spans(first:50,filterCondition:$f){edges{node{spanId}}} recordCount(filterCondition:$f)}}',
          { f: filter, p: PROJECT },
        );
        assert.equal(errors, undefined, filter);
        const spans = { edges: [{ node: { spanId: idOf(index, 16) } }] };
        assert.deepEqual(data, { getProjectByName: { spans, recordCount: 1 } }, filter);
      }
      for (const filter of [
        `${name} == 1`,
        `any(s.${name} == 1 for s in spans)`,
        `any(s.name == '${name}' for s in ${name})`,
        `attributes['${name}'] == 'root ${index}'`,
        `metadata['${name}'] == 'x'`,
        `session_annotations['${name}'].score == ${index}`,
        `trace_annotations['${name}'].score == ${index}`,
        `len(${name}) > 1`,
      ]) {
        await ask(
          `query($f:String!,$p:String!){getProjectByName(name:$p){
            sessions(first:9,sessionFilterCondition:$f){edges{node{sessionId}}}}}`,
          { f: filter, p: PROJECT },
        );
        await ask(
          `query($f:String!,$p:String!){getProjectByName(name:$p){
            traceCount spans(first:9,traceFilterCondition:$f){edges{node{spanId}}}}}`,
          { f: filter, p: PROJECT },
        );
      }
      const { edges } = (
        (
          await ask(
            'query($f:String!,$p:String!){getProjectByName(name:$p){sessions(first:9,sessionFilterCondition:$f){edges{node{sessionId}}}}}',
            { f: `session_annotations['${name}'].score == ${index}`, p: PROJECT },
          )
        ).data as unknown as { getProjectByName: { sessions: { edges: object[] } } }
      ).getProjectByName.sessions;
      assert.deepEqual(edges, [{ node: { sessionId: name } }]);
    });

    test(`are names like any other in bodies, queries and documents: ${name}`, async () => {
      const odd = JSON.parse(`{"${name}":{"${name}":["${name}"]}}`) as object;
      const span = {
        name,
        context: { trace_id: `text ${name}`, span_id: name },
        span_kind: name,
        start_time: '2026-01-01T00:00:00Z',
        end_time: '2026-01-01T00:00:01Z',
        status_code: 'OK',
        attributes: odd,
        events: [{ name, timestamp: '2026-01-01T00:00:00Z', attributes: odd }],
      };
      const stored = await send('POST', '/v1/projects/bodies/spans', { data: [span], ...odd });
      assert.equal(stored.status, 202, stored.text);
      for (const path of [
        `/v1/projects/${PROJECT}/spans?${name}=1`,
        `/v1/projects/${PROJECT}/spans?sort=${name}&order=${name}`,
        `/v1/projects/${PROJECT}/traces?sort=${name}`,
        `/v1/projects/${PROJECT}/spans/export?format=${name}`,
        `/v1/projects?${name}=${name}`,
        `/v1/datasets?name=${name}`,
      ]) {
        isRejectedOrAccepted(await send('GET', path), path);
      }
      for (const [path, body] of [
        ['/v1/projects', { name: `p ${name}`, ...odd }],
        ['/v1/annotation_configs', { name, type: name, ...odd }],
        ['/v1/annotation_configs', { name, type: 'CATEGORICAL', optimization_direction: name, values: [odd] }],
        [`/v1/spans?project_name=${PROJECT}`, { queries: [{ select: { [name]: { key: name } }, rename: odd }] }],
        [
          `/v1/spans?project_name=${PROJECT}`,
          { queries: [{ select: { [name]: { key: name } }, rename: { [name]: 'x' } }] },
        ],
        ['/v1/prompts', odd],
        [
          '/v1/prompts',
          {
            prompt: { name: `p${index}` },
            version: {
              model_provider: name,
              model_name: 'm',
              template_type: 'CHAT',
              template_format: 'MUSTACHE',
              template: { type: 'chat', messages: [{ role: 'user', content: `{{${name}}} {${name}}` }] },
              invocation_parameters: { type: name, [name]: odd },
            },
          },
        ],
      ] as const) {
        isRejectedOrAccepted(await send('POST', path, body), `${path} ${JSON.stringify(body)}`);
      }
      const examples = { action: 'create', name: `set of ${name}`, inputs: [odd], outputs: [odd], metadata: [odd] };
      const uploaded = await send('POST', '/v1/datasets/upload?sync=true', examples);
      assert.equal(uploaded.status, 200, uploaded.text);
      const { dataset_id } = (JSON.parse(uploaded.text) as { data: { dataset_id: string } }).data;
      const listed = await send('GET', `/v1/datasets/${dataset_id}/examples`);
      assert.ok(listed.text.includes(`"input":{"${name}":{"${name}":["${name}"]}}`), listed.text);
      const experiment = await send('POST', `/v1/datasets/${dataset_id}/experiments`, { name, metadata: odd });
      assert.equal(experiment.status, 200, experiment.text);
      const { id } = (JSON.parse(experiment.text) as { data: { id: string } }).data;
      for (const condition of [
        `${name} == 1`,
        `input['${name}'] == 1`,
        `experiments[0].${name} == 1`,
        `experiments[0].output['${name}'] is None`,
        `evals['${name}'].score > 1`,
        `experiments[0].evals['${name}'].${name} == 1`,
      ]) {
        await ask(
          'query($c:String!,$e:[ID!]!){validateExperimentRunFilterCondition(condition:$c,experimentIds:$e){isValid errorMessage}}',
          { c: condition, e: [id] },
        );
        await ask(
          `query($c:String!,$e:ID!,$o:[ID!]!){compareExperiments(first:5,filterCondition:$c,baseExperimentId:$e,compareExperimentIds:$o){edges{node{id}}}}`,
          { c: condition, e: id, o: [] },
        );
      }
      // The caller names fragments and operations. Aliases and variables with these names are rejected.
      const document = `query ${name}{getProjectByName(name:"${PROJECT}"){...${name}}} fragment ${name} on Project{name}`;
      const answer = await ask(document, {}, { operationName: name });
      assert.deepEqual(answer, { data: { getProjectByName: { name: PROJECT } } });
      for (const [query, what] of [
        [`{${name}:projectCount}`, 'An alias'],
        [`{getProjectByName(name:"${PROJECT}"){${name}:name}}`, 'An alias'],
        [`query($${name}:String!){getProjectByName(name:$${name}){name}}`, 'A variable'],
      ] as const) {
        const { errors } = await ask(query, JSON.parse(`{"${name}":"${PROJECT}"}`) as object);
        assert.deepEqual(
          errors?.map(({ message }) => message),
          [`${what} cannot have the name "${name}".`],
          query,
        );
      }
      for (const body of [
        odd,
        { query: '{projectCount}', [name]: odd },
        { query: '{projectCount}', operationName: name },
      ]) {
        isRejectedOrAccepted(await send('POST', '/graphql', body), JSON.stringify(body));
      }
      await ask(
        `query($v:SpanColumn!){getProjectByName(name:"x"){spans(first:1,sort:{col:$v,dir:asc}){edges{cursor}}}}`,
        {
          v: name,
        },
      );
      await ask(`{${name} {id}}`, {});
      await ask(`{__type(name:"${name}"){name}}`, {});
    });
  }

  test('survive an export and import of spans', async () => {
    const lines = await send('GET', `/v1/projects/${PROJECT}/spans/export`);
    const imported = await send('POST', '/v1/projects/copy/spans/import', lines.text, 'application/octet-stream');
    assert.equal(imported.status, 200, imported.text);
    for (const format of ['csv', 'otlp-json', 'jsonl']) {
      const { status, text } = await send('GET', `/v1/projects/${PROJECT}/spans/export?format=${format}`);
      assert.equal(status, 200, text);
      for (const name of NAMES) assert.ok(text.includes(name), `${format}: ${name}`);
    }
  });
});
