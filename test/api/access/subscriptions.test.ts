import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { cleanUpAfter } from '../../metadata-store/fixtures.ts';
import { toGlobalId } from '../../../src/api/contract/global-id.ts';
import { createSchema } from '../../../src/api/graphql/schema.ts';
import { openVendorEndpoint, type VendorEndpoint } from '../../vendor-endpoint/vendor-endpoint.ts';
import { experimentFixtures } from '../graphql/experiment-fixtures.ts';
import { chatInput } from '../graphql/subscriptions/scripted-chat.ts';
import { ACCEPT, readPayloads, TRANSPORTS, type Transport } from '../graphql/subscriptions/stream-readers.ts';
import { openTestServer, type TestServer, type TestServerOptions } from '../test-server.ts';
import { createEveryCredential } from './every-credential.ts';
import { ADMIN_SECRET, openSignedInServer, type SignedInServer } from './signed-in-server.ts';

/** What a request gets: a stream that calls the vendor, or a status with the beginning of its text. */
type Outcome = 'runs' | readonly [status: number, text: string];

const VIEWER = [200, 'Viewers cannot perform this action'] as const;
const SCOPE = [200, 'The scope of this API key does not allow this action'] as const;
const NO_ENTRY = [403, 'The scope of this API key does not allow this action'] as const;
const NONE = [401, 'Invalid token'] as const;
const ELSEWHERE = [401, 'Token is not valid for this resource'] as const;

/** Written by hand from the contract: members run models, and nobody else does. */
const EXPECTED: Readonly<Record<string, Outcome>> = {
  admin: 'runs',
  member: 'runs',
  viewer: VIEWER,
  adminKey: 'runs',
  app: 'runs',
  mcpApp: ELSEWHERE,
  readKey: SCOPE,
  sendKey: NO_ENTRY,
  systemKey: 'runs',
  adminSecret: 'runs',
  scimKey: NO_ENTRY,
  none: NONE,
  refresh: NONE,
};

interface Sample {
  readonly document: string;
  /** Valid variables, whose calls reach the endpoint. */
  readonly variables: (endpoint: VendorEndpoint, datasetId: string) => object;
}

const chat = (endpoint: VendorEndpoint) =>
  chatInput({
    template: { variables: { what: '[[say x]]' }, format: 'MUSTACHE' },
    connectionConfig: { baseUrl: `${endpoint.url}/v1` },
    credentials: [{ envVarName: 'OPENAI_API_KEY', value: 'sk-test' }],
  });
const overDataset = (endpoint: VendorEndpoint, datasetId: string) => {
  const { template: _, ...input } = chat(endpoint) as Record<string, unknown>;
  const messages = [{ role: 'USER', content: [{ text: { text: '[[say x]]' } }] }];
  return { ...input, promptVersion: { ...chatInput().promptVersion, template: { messages } }, datasetId };
};

const SAMPLES: Readonly<Record<string, Sample>> = {
  chatCompletion: {
    document: 'subscription ($input: ChatCompletionInput!) { chatCompletion(input: $input) { __typename } }',
    variables: (endpoint) => ({ input: chat(endpoint) }),
  },
  chatCompletionOverDataset: {
    document:
      'subscription ($input: ChatCompletionOverDatasetInput!) { chatCompletionOverDataset(input: $input) { __typename } }',
    variables: (endpoint, datasetId) => ({ input: overDataset(endpoint, datasetId) }),
  },
  chatCompletionCells: {
    document: 'subscription ($input: ChatCompletionCellsInput!) { chatCompletionCells(input: $input) { key } }',
    variables: (endpoint) => ({
      input: { variants: [chat(endpoint)], cells: [{ key: 'a', variant: 0, variables: { what: '[[say x]]' } }] },
    }),
  },
  chatCompletionVariants: {
    document:
      'subscription ($inputs: [ChatCompletionOverDatasetInput!]!) { chatCompletionVariants(inputs: $inputs) { key } }',
    variables: (endpoint, datasetId) => ({ inputs: [overDataset(endpoint, datasetId)] }),
  },
};

const cleanUp = cleanUpAfter(after);
let endpoint: VendorEndpoint;
before(async () => {
  endpoint = await openVendorEndpoint({ after: cleanUp });
});

const createDataset = async ({ ports }: Pick<TestServer, 'ports'>) =>
  toGlobalId('Dataset', (await experimentFixtures(ports).createDataset(1)).rowId);

/** Sends a subscription and compares the response and the calls at the vendor with what is expected. */
async function check(
  address: string,
  field: string,
  transport: Transport,
  datasetId: string,
  bearer: string | undefined,
  expected: Outcome,
): Promise<void> {
  const { document, variables } = SAMPLES[field]!;
  endpoint.clear();
  const response = await fetch(`${address}/graphql`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: ACCEPT[transport],
      ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
    },
    body: JSON.stringify({ query: document, variables: variables(endpoint, datasetId) }),
  });
  if (expected === 'runs') {
    assert.equal(response.status, 200);
    const payloads = await readPayloads(response);
    assert.deepEqual(
      payloads.flatMap(({ errors = [] }) => errors),
      [],
    );
    assert.ok(payloads.length > 0);
    assert.equal(endpoint.calls.length, 1);
    return;
  }
  const [status, text] = expected;
  const body = await response.text();
  assert.equal(response.status, status, body);
  assert.ok(body.includes(text), body);
  assert.equal(endpoint.calls.length, 0);
}

test('every subscription has a row in the table', () => {
  assert.deepEqual(Object.keys(SAMPLES).sort(), Object.keys(createSchema().getSubscriptionType()!.getFields()).sort());
});

describe('the rights of each credential', () => {
  let server: SignedInServer;
  let tokens: ReadonlyMap<string, string | undefined>;
  let datasetId: string;
  before(async () => {
    server = await openSignedInServer({ after: cleanUp });
    tokens = await createEveryCredential(server);
    datasetId = await createDataset(server);
  });

  for (const field of Object.keys(SAMPLES)) {
    for (const transport of TRANSPORTS) {
      test(`decide over ${field} before a model is called (${transport})`, async (t) => {
        assert.deepEqual([...tokens.keys()].sort(), Object.keys(EXPECTED).sort());
        for (const [name, expected] of Object.entries(EXPECTED)) {
          await t.test(`${name} ${expected === 'runs' ? 'runs it' : `gets ${expected.join(' ')}`}`, () =>
            check(server.address, field, transport, datasetId, tokens.get(name), expected),
          );
        }
      });
    }
  }
});

const STATES: Readonly<Record<string, readonly [TestServerOptions, Outcome]>> = {
  'full storage': [{ storageLock: () => 'The storage is full' }, [200, 'The storage is full']],
  'read-only mode': [{ settings: { READ_ONLY: 'true' } }, [200, 'Application is read-only']],
};

for (const [state, [options, expected]] of Object.entries(STATES)) {
  describe(state, () => {
    let server: TestServer;
    let datasetId: string;
    before(async () => {
      const settings = { ENABLE_AUTH: 'true', SECRET: `secret-0${'a'.repeat(30)}`, ADMIN_SECRET, ...options.settings };
      server = await openTestServer({ after: cleanUp }, { ...options, settings });
      datasetId = await createDataset(server);
    });

    for (const field of Object.keys(SAMPLES)) {
      for (const transport of TRANSPORTS) {
        test(`blocks ${field} before a model is called (${transport})`, () =>
          check(server.address, field, transport, datasetId, ADMIN_SECRET, expected));
      }
    }
  });
}
