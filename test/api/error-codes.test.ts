import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { Client, credentials, Metadata, type ServiceError, status } from '@grpc/grpc-js';
import { Registry } from 'prom-client';
import { silentLog } from '../../src/base/log.ts';
import {
  ERROR_CODE_HEADER,
  ERROR_KINDS,
  type ErrorCode,
  INTERNAL_ERROR_CODE,
  SpandrelError,
} from '../../src/model/errors.ts';
import { openGrpcServer } from '../../src/server/grpc/grpc-server.ts';
import { openHttpServer } from '../../src/server/http/http-server.ts';
import { openTestServer } from './test-server.ts';

/** REST status and gRPC status of each code. GraphQL responds with status 200 to all of them. */
const STATUSES: Readonly<Record<ErrorCode, readonly [rest: number, grpc: keyof typeof status]>> = {
  OTLP_MALFORMED: [422, 'INVALID_ARGUMENT'],
  BODY_UNREADABLE: [422, 'INVALID_ARGUMENT'],
  BODY_TOO_LARGE: [413, 'RESOURCE_EXHAUSTED'],
  BODY_MALFORMED: [400, 'INVALID_ARGUMENT'],
  CONTENT_TYPE_MISSING: [400, 'INVALID_ARGUMENT'],
  CONTENT_TYPE_UNSUPPORTED: [415, 'INVALID_ARGUMENT'],
  CONTENT_ENCODING_UNSUPPORTED: [415, 'INVALID_ARGUMENT'],
  REQUEST_INVALID: [422, 'INVALID_ARGUMENT'],
  READ_ONLY: [403, 'PERMISSION_DENIED'],
  METRICS_LOCAL: [403, 'PERMISSION_DENIED'],
  UNAUTHENTICATED: [401, 'UNAUTHENTICATED'],
  CREDENTIAL_EXPIRED: [401, 'UNAUTHENTICATED'],
  ACCESS_DENIED: [403, 'PERMISSION_DENIED'],
  SIGN_IN_OFF: [403, 'PERMISSION_DENIED'],
  SIGN_IN_FAILED: [401, 'UNAUTHENTICATED'],
  SIGN_IN_LOCKED: [429, 'RESOURCE_EXHAUSTED'],
  SIGN_IN_UNAVAILABLE: [503, 'UNAVAILABLE'],
  USER_NOT_FOUND: [404, 'NOT_FOUND'],
  USER_INVALID: [400, 'INVALID_ARGUMENT'],
  EMAIL_INVALID: [422, 'INVALID_ARGUMENT'],
  USER_PROTECTED: [403, 'PERMISSION_DENIED'],
  USERNAME_TAKEN: [409, 'ALREADY_EXISTS'],
  EMAIL_TAKEN: [409, 'ALREADY_EXISTS'],
  EXTERNAL_ID_TAKEN: [409, 'ALREADY_EXISTS'],
  PASSWORD_INVALID: [422, 'INVALID_ARGUMENT'],
  GROUP_NOT_FOUND: [404, 'NOT_FOUND'],
  GROUP_INVALID: [400, 'INVALID_ARGUMENT'],
  GROUP_NAME_TAKEN: [409, 'ALREADY_EXISTS'],
  SCIM_INVALID: [400, 'INVALID_ARGUMENT'],
  SCIM_DEFINITION_NOT_FOUND: [404, 'NOT_FOUND'],
  API_KEY_NOT_FOUND: [404, 'NOT_FOUND'],
  API_KEY_INVALID: [422, 'INVALID_ARGUMENT'],
  USER_SESSION_NOT_FOUND: [404, 'NOT_FOUND'],
  TOKEN_RESOURCE_INVALID: [401, 'UNAUTHENTICATED'],
  OAUTH2_REQUEST_INVALID: [400, 'INVALID_ARGUMENT'],
  OAUTH2_GRANT_NOT_FOUND: [404, 'NOT_FOUND'],
  AUTHORIZATION_REQUEST_INVALID: [400, 'INVALID_ARGUMENT'],
  IDENTITY_NOT_FOUND: [404, 'NOT_FOUND'],
  IDENTITY_NEEDED: [409, 'ALREADY_EXISTS'],
  CURSOR_INVALID: [422, 'INVALID_ARGUMENT'],
  GRAPHQL_PARSE_FAILED: [422, 'INVALID_ARGUMENT'],
  GRAPHQL_VALIDATION_FAILED: [422, 'INVALID_ARGUMENT'],
  INT_OUT_OF_RANGE: [422, 'INVALID_ARGUMENT'],
  QUERY_INVALID: [422, 'INVALID_ARGUMENT'],
  QUERY_TOO_COSTLY: [422, 'INVALID_ARGUMENT'],
  FILTER_INVALID: [422, 'INVALID_ARGUMENT'],
  NODE_ID_INVALID: [422, 'INVALID_ARGUMENT'],
  NODE_NOT_FOUND: [404, 'NOT_FOUND'],
  PROJECT_NOT_FOUND: [404, 'NOT_FOUND'],
  PROJECT_NAME_TAKEN: [409, 'ALREADY_EXISTS'],
  PROJECT_PROTECTED: [403, 'PERMISSION_DENIED'],
  PROJECT_IN_USE: [409, 'ALREADY_EXISTS'],
  PROJECT_MEMBER_INVALID: [422, 'INVALID_ARGUMENT'],
  PROJECT_OWNER_LAST: [409, 'ALREADY_EXISTS'],
  SPAN_NOT_FOUND: [404, 'NOT_FOUND'],
  TRACE_NOT_FOUND: [404, 'NOT_FOUND'],
  SESSION_NOT_FOUND: [404, 'NOT_FOUND'],
  RETENTION_POLICY_NOT_FOUND: [404, 'NOT_FOUND'],
  SPANS_REFUSED: [422, 'INVALID_ARGUMENT'],
  ANNOTATION_NOT_FOUND: [404, 'NOT_FOUND'],
  ANNOTATION_EXISTS: [409, 'ALREADY_EXISTS'],
  ANNOTATION_TARGET_NOT_FOUND: [404, 'NOT_FOUND'],
  ANNOTATION_NAME_RESERVED: [400, 'INVALID_ARGUMENT'],
  ANNOTATION_INVALID: [422, 'INVALID_ARGUMENT'],
  ANNOTATION_CONFIG_NOT_FOUND: [404, 'NOT_FOUND'],
  ANNOTATION_CONFIG_NAME_TAKEN: [409, 'ALREADY_EXISTS'],
  ANNOTATION_CONFIG_ASSIGNED: [409, 'ALREADY_EXISTS'],
  ANNOTATION_CONFIG_INVALID: [400, 'INVALID_ARGUMENT'],
  DATASET_NOT_FOUND: [404, 'NOT_FOUND'],
  DATASET_CHANGED: [409, 'ALREADY_EXISTS'],
  DATASET_NAME_TAKEN: [409, 'ALREADY_EXISTS'],
  DATASET_SOURCE_NAME_TAKEN: [409, 'ALREADY_EXISTS'],
  ONLINE_EVALUATOR_NAME_TAKEN: [409, 'ALREADY_EXISTS'],
  DATASET_VERSION_NOT_FOUND: [404, 'NOT_FOUND'],
  DATASET_EXAMPLE_NOT_FOUND: [404, 'NOT_FOUND'],
  DATASET_EXAMPLE_ID_TAKEN: [409, 'ALREADY_EXISTS'],
  DATASET_EXAMPLES_UNKNOWN: [422, 'INVALID_ARGUMENT'],
  DATASET_UPLOAD_INVALID: [422, 'INVALID_ARGUMENT'],
  DATASET_SPLIT_NOT_FOUND: [404, 'NOT_FOUND'],
  DATASET_SPLIT_NAME_TAKEN: [409, 'ALREADY_EXISTS'],
  DATASET_LABEL_NOT_FOUND: [404, 'NOT_FOUND'],
  DATASET_LABEL_NAME_TAKEN: [409, 'ALREADY_EXISTS'],
  EXPERIMENT_NOT_FOUND: [404, 'NOT_FOUND'],
  EXPERIMENT_EPHEMERAL: [422, 'INVALID_ARGUMENT'],
  EXPERIMENT_TAG_NOT_FOUND: [404, 'NOT_FOUND'],
  EXPERIMENT_NOTE_NOT_FOUND: [404, 'NOT_FOUND'],
  EXPERIMENT_RUN_NOT_FOUND: [404, 'NOT_FOUND'],
  EXPERIMENT_JOB_NOT_FOUND: [404, 'NOT_FOUND'],
  EXPERIMENT_JOB_COOLDOWN: [409, 'ALREADY_EXISTS'],
  EXPERIMENT_RUN_COMPLETE: [409, 'ALREADY_EXISTS'],
  EVALUATION_NAME_INVALID: [400, 'INVALID_ARGUMENT'],
  IDEMPOTENCY_KEY_INVALID: [400, 'INVALID_ARGUMENT'],
  IDEMPOTENCY_KEY_REUSED: [422, 'INVALID_ARGUMENT'],
  IDEMPOTENT_REQUEST_RUNNING: [409, 'ALREADY_EXISTS'],
  IDEMPOTENT_OUTCOME_UNKNOWN: [409, 'ALREADY_EXISTS'],
  UPLOAD_QUEUE_FULL: [429, 'RESOURCE_EXHAUSTED'],
  RATE_LIMIT_EXCEEDED: [429, 'RESOURCE_EXHAUSTED'],
  MODEL_INVALID: [400, 'INVALID_ARGUMENT'],
  MODEL_NOT_FOUND: [404, 'NOT_FOUND'],
  MODEL_NAME_TAKEN: [409, 'ALREADY_EXISTS'],
  MODEL_BUILT_IN: [400, 'INVALID_ARGUMENT'],
  RECOMPUTATION_NOT_FOUND: [404, 'NOT_FOUND'],
  PROMPT_NOT_FOUND: [404, 'NOT_FOUND'],
  PROMPT_NAME_TAKEN: [409, 'ALREADY_EXISTS'],
  PROMPT_VERSION_NOT_FOUND: [404, 'NOT_FOUND'],
  PROMPT_TAG_NOT_FOUND: [404, 'NOT_FOUND'],
  PROMPT_LABEL_NOT_FOUND: [404, 'NOT_FOUND'],
  PROMPT_LABEL_NAME_TAKEN: [409, 'ALREADY_EXISTS'],
  PROMPT_INVALID: [422, 'INVALID_ARGUMENT'],
  PROVIDER_NOT_FOUND: [404, 'NOT_FOUND'],
  PROVIDER_NAME_TAKEN: [409, 'ALREADY_EXISTS'],
  SECRET_NOT_FOUND: [404, 'NOT_FOUND'],
  SECRET_INVALID: [422, 'INVALID_ARGUMENT'],
  SECRET_UNREADABLE: [409, 'ALREADY_EXISTS'],
  SECRET_HOST_DENIED: [403, 'PERMISSION_DENIED'],
  HOST_UNKNOWN: [403, 'PERMISSION_DENIED'],
  PROVIDER_INVALID: [400, 'INVALID_ARGUMENT'],
  PROMPT_IN_USE: [409, 'ALREADY_EXISTS'],
  EVALUATOR_NOT_FOUND: [404, 'NOT_FOUND'],
  EVALUATOR_INVALID: [400, 'INVALID_ARGUMENT'],
  SANDBOX_BUSY: [503, 'UNAVAILABLE'],
  EVALUATOR_NAME_TAKEN: [409, 'ALREADY_EXISTS'],
  CODE_VERSION_NOT_FOUND: [404, 'NOT_FOUND'],
  SANDBOX_CONFIG_NOT_FOUND: [404, 'NOT_FOUND'],
  SANDBOX_CONFIG_NAME_TAKEN: [409, 'ALREADY_EXISTS'],
  SANDBOX_CONFIG_IN_USE: [409, 'ALREADY_EXISTS'],
  SANDBOX_CONFIG_INVALID: [400, 'INVALID_ARGUMENT'],
  DATASET_EVALUATOR_NOT_FOUND: [404, 'NOT_FOUND'],
  DATASET_EVALUATOR_NAME_TAKEN: [400, 'INVALID_ARGUMENT'],
  CALIBRATION_NOT_FOUND: [404, 'NOT_FOUND'],
  CALIBRATION_INVALID: [400, 'INVALID_ARGUMENT'],
  CALIBRATION_RUNNING: [409, 'ALREADY_EXISTS'],
  CALIBRATIONS_TOO_MANY: [429, 'RESOURCE_EXHAUSTED'],
  SAVED_VIEW_NOT_FOUND: [404, 'NOT_FOUND'],
  DATASET_SOURCE_NOT_FOUND: [404, 'NOT_FOUND'],
  ONLINE_EVALUATOR_NOT_FOUND: [404, 'NOT_FOUND'],
  ONLINE_EVALUATOR_INVALID: [400, 'INVALID_ARGUMENT'],
  BACKFILL_RUNNING: [409, 'ALREADY_EXISTS'],
  DASHBOARD_NOT_FOUND: [404, 'NOT_FOUND'],
  DASHBOARD_NAME_TAKEN: [409, 'ALREADY_EXISTS'],
  DASHBOARD_INVALID: [422, 'INVALID_ARGUMENT'],
  DASHBOARD_CHANGED: [409, 'ALREADY_EXISTS'],
  DASHBOARD_BUILT_IN: [400, 'INVALID_ARGUMENT'],
  RECOMPUTATIONS_TOO_MANY: [409, 'ALREADY_EXISTS'],
  INGEST_OVERLOADED: [503, 'UNAVAILABLE'],
  SHUTTING_DOWN: [503, 'UNAVAILABLE'],
  STORAGE_FULL: [507, 'RESOURCE_EXHAUSTED'],
  DISK_FULL: [503, 'UNAVAILABLE'],
  STORE_UNAVAILABLE: [503, 'UNAVAILABLE'],
  EVENT_STREAMS_TOO_MANY: [503, 'UNAVAILABLE'],
  SUBSCRIPTIONS_TOO_MANY: [503, 'UNAVAILABLE'],
  SUBSCRIPTION_READER_SLOW: [503, 'UNAVAILABLE'],
  QUERY_TIMED_OUT: [504, 'DEADLINE_EXCEEDED'],
  CANCELLED: [499, 'CANCELLED'],
};

const CODES = Object.keys(ERROR_KINDS) as ErrorCode[];

describe('an error code', () => {
  test('has one REST status and is in a header', async (t) => {
    const ask = await openRest(t);

    for (const code of CODES) {
      const response = await ask(() => {
        throw new SpandrelError(code, 'text');
      });

      assert.deepEqual([response.status, response.headers.get(ERROR_CODE_HEADER)], [STATUSES[code][0], code]);
    }
  });

  test('has one gRPC status and is in a trailer', async (t) => {
    const call = await openGrpc(t);

    for (const code of CODES) {
      const error = await call(new SpandrelError(code, 'text'));

      assert.deepEqual([status[error.code], error.metadata.get(ERROR_CODE_HEADER)], [STATUSES[code][1], [code]]);
    }
  });

  test('is the code of a GraphQL error', async (t) => {
    const ask = await openGraphql(t);

    for (const code of CODES) {
      assert.deepEqual(await ask(new SpandrelError(code, 'text')), [{ message: 'text', code }]);
    }
  });

  test('of an unexpected error is the same everywhere, and its text is never sent', async (t) => {
    const secret = new TypeError('secret');
    const rest = await (await openRest(t))(() => {
      throw secret;
    });
    const grpc = await (await openGrpc(t))(secret);

    assert.deepEqual([rest.status, rest.headers.get(ERROR_CODE_HEADER)], [500, INTERNAL_ERROR_CODE]);
    assert.doesNotMatch(await rest.text(), /secret/);
    assert.deepEqual([status[grpc.code], grpc.metadata.get(ERROR_CODE_HEADER)], ['INTERNAL', [INTERNAL_ERROR_CODE]]);
    assert.doesNotMatch(grpc.details, /secret/);
    assert.deepEqual(await (await openGraphql(t))(secret), [
      { message: 'an unexpected error occurred', code: INTERNAL_ERROR_CODE },
    ]);
  });
});

test('an error of a GraphQL request, document or value has a code', async (t) => {
  const server = await openTestServer(t);
  const readOnly = await openTestServer(t, { settings: { READ_ONLY: 'true' } });
  const codeOf = async (address: string, body: unknown, type = 'application/json') => {
    const init = { method: 'POST', headers: { 'content-type': type }, body: JSON.stringify(body) };
    return codesOf(await fetch(`${address}/graphql`, init));
  };
  const fields = Array.from({ length: 3 }, (_, i) => `a${i}: __schema {types {name}}`).join(' ');

  for (const [body, code] of [
    [[], 'REQUEST_INVALID'],
    [{ query: '{projects(' }, 'GRAPHQL_PARSE_FAILED'],
    [{ query: '{noSuchField}' }, 'GRAPHQL_VALIDATION_FAILED'],
    [{ query: 'query($n: String!) {getProjectByName(name: $n) {id}}' }, 'GRAPHQL_VALIDATION_FAILED'],
    [{ query: 'query A {projectCount} query B {projectCount}' }, 'GRAPHQL_VALIDATION_FAILED'],
    [{ query: `{${fields}}` }, 'QUERY_TOO_COSTLY'],
    [{ query: '{node(id: "x") {id}}' }, 'NODE_ID_INVALID'],
    [{ query: '{projects(after: "x") {edges {cursor}}}' }, 'CURSOR_INVALID'],
  ] as const) {
    assert.deepEqual(await codeOf(server.address, body), [code], JSON.stringify(body));
  }
  const query = '{projectCount}';
  assert.deepEqual(await codeOf(server.address, { query }, 'text/plain'), ['CONTENT_TYPE_UNSUPPORTED']);
  const mutation = 'mutation {deleteProject(id: "x") {__typename}}';
  assert.deepEqual(await codeOf(readOnly.address, { query: mutation }), ['READ_ONLY']);
  const got = await fetch(`${server.address}/graphql?${new URLSearchParams({ query: mutation })}`);
  assert.deepEqual(await codesOf(got), ['REQUEST_INVALID']);
});

test('a number that GraphQL cannot represent has a code, and fields beside it have values', async (t) => {
  const { address, append } = await openTestServer(t);
  const trace = { traceId: 'a'.repeat(32), spanId: '1'.repeat(16), project: 'app' };
  await append({ ...trace, spanKind: 'LLM', tokens: [3_000_000_000, 1] });
  const query =
    '{getProjectByName(name: "app") {spans(first: 1) {edges {node {tokenCountPrompt tokenCountCompletion}}}}}';

  const headers = { connection: 'close', 'content-type': 'application/json' };
  const response = await fetch(`${address}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query }) });

  const { data, errors } = (await response.json()) as { data: object; errors: GraphqlErrorJson[] };
  assert.deepEqual(
    errors.map(({ extensions }) => extensions.code),
    ['INT_OUT_OF_RANGE'],
  );
  assert.match(JSON.stringify(data), /"tokenCountPrompt":null,"tokenCountCompletion":1/);
});

async function openRest(t: TestContext): Promise<(handle: () => never) => Promise<Response>> {
  let current: () => never;
  const server = await openHttpServer({
    routes: [{ method: 'GET', path: '/v1/fails', access: 'viewer', bodyBytesMax: 0, handle: () => current() }],
    host: '127.0.0.1',
    port: 0,
    rootPath: '',
    engine: 'node',
    compatibleVersion: '0',
    version: '0',
    log: silentLog,
    registry: new Registry(),
  });
  t.after(() => server.close());
  return (handle) => {
    current = handle;
    return fetch(`${server.address}/v1/fails`, { headers: { connection: 'close' } });
  };
}

async function openGrpc(t: TestContext): Promise<(error: Error) => Promise<ServiceError>> {
  const path = '/test.Fails/Fail';
  let current: Error;
  const handle = () => Promise.reject(current);
  const server = await openGrpcServer({
    methods: [{ path, access: 'open', handle }],
    host: '127.0.0.1',
    port: 0,
    log: silentLog,
    registry: new Registry(),
    limits: { drainMsMax: 200 },
  });
  const client = new Client(`127.0.0.1:${server.port}`, credentials.createInsecure());
  t.after(async () => {
    client.close();
    await server.close();
  });
  const same = (bytes: Buffer) => bytes;
  return (error) => {
    current = error;
    return new Promise((resolve, reject) => {
      client.makeUnaryRequest(path, same, same, Buffer.alloc(0), new Metadata(), (failure) =>
        failure ? resolve(failure) : reject(new Error('the call must fail')),
      );
    });
  };
}

async function openGraphql(t: TestContext): Promise<(error: Error) => Promise<readonly object[]>> {
  let current: Error;
  const { address, domain } = await openTestServer(t);
  Object.assign(domain, { search: () => Promise.reject(current) });
  const body = JSON.stringify({ query: '{searchResources(query: "a") {__typename}}' });
  return async (error) => {
    current = error;
    const headers = { connection: 'close', 'content-type': 'application/json' };
    const response = await fetch(`${address}/graphql`, { method: 'POST', headers, body });
    const { errors } = (await response.json()) as { errors: GraphqlErrorJson[] };
    return errors.map(({ message, extensions }) => ({ message, code: extensions.code }));
  };
}

interface GraphqlErrorJson {
  readonly message: string;
  readonly extensions: { readonly code: string };
}

async function codesOf(response: Response): Promise<string[]> {
  const { errors } = (await response.json()) as { errors: GraphqlErrorJson[] };
  return errors.map(({ extensions }) => extensions.code);
}
