import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { cleanUpAfter } from '../../metadata-store/fixtures.ts';
import { toGlobalId } from '../../../src/api/contract/global-id.ts';
import { openTestServer, type TestServer } from '../test-server.ts';

const CONFIG = `id name description language timeout enabled provider { id backendType }
  config { envVars { name secretKey } internetAccess { mode } dependencies { packages } }`;
const CREATE = `mutation ($input: CreateSandboxConfigInput!) { createSandboxConfig(input: $input) { sandboxConfig { ${CONFIG} } } }`;
const UPDATE = `mutation ($input: UpdateSandboxConfigInput!) { updateSandboxConfig(input: $input) { sandboxConfig { ${CONFIG} } } }`;
const DELETE = `mutation ($input: DeleteSandboxConfigInput!) { deleteSandboxConfig(input: $input) { deletedId } }`;
const PROVIDER = `mutation ($input: UpdateSandboxProviderInput!) { updateSandboxProvider(input: $input) { sandboxProvider { id backendType enabled deployment { __typename ... on E2BDeploymentData { domain apiUrl } } } } }`;
const idOf = (backend: string) => Buffer.from(`SandboxProvider:${backend}`).toString('base64');

describe('GraphQL of sandboxes', () => {
  let server: TestServer;
  const cleanUp = cleanUpAfter(after);
  before(async () => {
    server = await openTestServer({ after: cleanUp });
  });
  const errorOf = async (query: string, input: object): Promise<string> => {
    const [error] = (await server.post(query, { input })).errors ?? [];
    return `${error}`;
  };

  test('all backends are listed, and only WASM is available', async () => {
    const { sandboxBackends, sandboxProviders } = await server.ask(
      '{ sandboxBackends { backendType displayName hostingType supportedLanguages status statusDetail languageDialect internetAccess supportsEnvVars supportsDependencies runtimeNotes dependencyHints credentialSpecs { key displayName description isRequired } } sandboxProviders { backendType enabled supportedLanguages deployment { __typename } configs { name language } user { id } } }',
    );
    assert.deepEqual(
      sandboxBackends.map((one: { backendType: string; status: string; statusDetail: string | null }) => [
        one.backendType,
        one.status,
        one.statusDetail === null,
      ]),
      [
        ['WASM', 'AVAILABLE', true],
        ['E2B', 'UNAVAILABLE', false],
        ['DAYTONA', 'UNAVAILABLE', false],
        ['VERCEL', 'UNAVAILABLE', false],
        ['DENO', 'NOT_INSTALLED', false],
        ['MODAL', 'UNAVAILABLE', false],
        ['MONTY', 'NOT_INSTALLED', false],
      ],
    );
    const [wasm] = sandboxBackends;
    assert.deepEqual(
      [wasm.supportedLanguages, wasm.languageDialect, wasm.internetAccess],
      [['PYTHON', 'TYPESCRIPT'], 'RESTRICTED', 'NONE'],
    );
    assert.deepEqual(sandboxProviders[0].configs, [
      { name: 'python', language: 'PYTHON' },
      { name: 'typescript', language: 'TYPESCRIPT' },
    ]);
    const { node } = await server.ask(
      'query ($id: ID!) { node(id: $id) { id ... on SandboxProvider { backendType enabled } } }',
      { id: idOf('E2B') },
    );
    assert.deepEqual(node, { id: idOf('E2B'), backendType: 'E2B', enabled: false });
  });

  test('configs are created, changed and deleted', async () => {
    const { sandboxConfig } = (
      await server.ask(CREATE, {
        input: {
          name: 'hosted',
          description: ' with a key ',
          timeout: 9,
          config: {
            e2b: {
              language: 'PYTHON',
              envVars: [{ name: 'TOKEN', secretKey: 'MY_TOKEN' }],
              internetAccess: { mode: 'DENY' },
              dependencies: { packages: ['numpy'] },
            },
          },
        },
      })
    ).createSandboxConfig;
    assert.deepEqual(sandboxConfig, {
      ...{
        id: sandboxConfig.id,
        name: 'hosted',
        description: 'with a key',
        language: 'PYTHON',
        timeout: 9,
        enabled: true,
      },
      provider: { id: idOf('E2B'), backendType: 'E2B' },
      config: {
        envVars: [{ name: 'TOKEN', secretKey: 'MY_TOKEN' }],
        internetAccess: { mode: 'DENY' },
        dependencies: { packages: ['numpy'] },
      },
    });
    const { id } = sandboxConfig;
    const changed = await server.ask(UPDATE, {
      input: { id, timeout: 12, enabled: false, config: { e2b: { language: 'PYTHON' } } },
    });
    assert.deepEqual(changed.updateSandboxConfig.sandboxConfig.config, {
      envVars: [],
      internetAccess: null,
      dependencies: null,
    });
    assert.deepEqual(
      [changed.updateSandboxConfig.sandboxConfig.timeout, changed.updateSandboxConfig.sandboxConfig.enabled],
      [12, false],
    );
    assert.match(
      await errorOf(UPDATE, { id, config: { e2b: { language: 'TYPESCRIPT' } } }),
      /language of a sandbox config cannot change/,
    );
    assert.match(await errorOf(UPDATE, { id, config: { wasm: {} } }), /backend of a sandbox config cannot change/);
    assert.match(await errorOf(UPDATE, { id, timeout: 0 }), /timeout must be from 1 to 300/);
    assert.equal((await server.ask(DELETE, { input: { id } })).deleteSandboxConfig.deletedId, id);
    assert.match(await errorOf(DELETE, { id }), /SandboxConfig with ID/);
    assert.match(await errorOf(UPDATE, { id, timeout: 5 }), /not found/);
    const { actions } = {
      actions: (await server.ports.audit.list({}, { limit: 10 })).items.map(({ action }) => action),
    };
    assert.deepEqual(actions.slice(0, 3), ['sandbox-config.delete', 'sandbox-config.update', 'sandbox-config.create']);
  });

  test('each backend has a form of config, and those with an address a deployment', async () => {
    const hosted = {
      ...{ language: 'PYTHON', envVars: [{ name: 'TOKEN', secretKey: 'MY_TOKEN' }] },
      ...{ internetAccess: { mode: 'ALLOW' }, dependencies: { packages: ['numpy'] } },
    };
    const forms: Record<string, object> = {
      ...{ e2b: hosted, daytona: hosted, vercel: hosted, modal: hosted },
      ...{ deno: { language: 'TYPESCRIPT' }, monty: {}, wasm: { language: 'TYPESCRIPT' } },
    };
    for (const [form, config] of Object.entries(forms)) {
      const input = { name: `of-${form}`, description: form, enabled: false, config: { [form]: config } };
      const { createSandboxConfig } = await server.ask(
        `mutation ($input: CreateSandboxConfigInput!) { createSandboxConfig(input: $input) {
          query { sandboxProviders { backendType configs { name } } }
          sandboxConfig { ${CONFIG} createdAt updatedAt user { id } } } }`,
        { input },
      );
      const { sandboxConfig, query } = createSandboxConfig;
      const backendType = form.toUpperCase();
      assert.deepEqual([sandboxConfig.provider.backendType, sandboxConfig.enabled], [backendType, false], form);
      assert.deepEqual([sandboxConfig.updatedAt, sandboxConfig.user], [sandboxConfig.createdAt, null]);
      assert.equal(sandboxConfig.language, 'language' in config ? config.language : 'PYTHON');
      const { language: _, ...others } = hosted;
      const expected = config === hosted ? others : { envVars: [], internetAccess: null, dependencies: null };
      assert.deepEqual(sandboxConfig.config, expected, form);
      const provider = query.sandboxProviders.find((one: { backendType: string }) => one.backendType === backendType);
      assert.ok(provider.configs.some(({ name }: { name: string }) => name === input.name));
      const { id } = sandboxConfig;
      const changed = await server.ask(UPDATE, { input: { id, description: null } });
      assert.equal(changed.updateSandboxConfig.sandboxConfig.description, null);
      await server.ask(DELETE, { input: { id } });
    }
    assert.match(
      await errorOf(CREATE, { name: 'two', config: { e2b: hosted, modal: hosted } }),
      /exactly one|Exactly one/,
    );

    const deployment = { daytona: { apiUrl: 'https://daytona.example.com', target: 'eu' } };
    const { updateSandboxProvider } = await server.ask(
      `mutation ($input: UpdateSandboxProviderInput!) { updateSandboxProvider(input: $input) { sandboxProvider {
        updatedAt deployment { ... on DaytonaDeploymentData { apiUrl target } } } query { sandboxProviders { enabled } } } }`,
      { input: { id: idOf('DAYTONA'), deployment } },
    );
    assert.deepEqual(updateSandboxProvider.sandboxProvider.deployment, deployment.daytona);
    assert.ok(Date.parse(updateSandboxProvider.sandboxProvider.updatedAt) > 0);
    assert.equal(updateSandboxProvider.query.sandboxProviders.length, 7);
    assert.match(
      await errorOf(PROVIDER, { id: idOf('E2B'), deployment }),
      /deployment of E2B cannot be one of daytona/,
    );
  });

  test('invalid configs are rejected, and one in use is not deleted', async () => {
    const wasm = (over: object = {}) => ({ name: 'mine', config: { wasm: {} }, ...over });
    const cases: readonly (readonly [object, RegExp])[] = [
      [wasm({ name: 'python' }), /Sandbox config with name 'python' already exists/],
      [wasm({ timeout: -1 }), /The timeout must be from 1/],
      [wasm({ timeout: 301 }), /timeout must/],
      [wasm({ config: { deno: { language: 'PYTHON' } } }), /Sandbox provider DENO does not run PYTHON/],
      [wasm({ config: {} }), /exactly one|SandboxConfigVariantInput/i],
      [
        wasm({ config: { e2b: { language: 'PYTHON', envVars: [{ name: 'a b', secretKey: 'X' }] } } }),
        /Key must start with a letter/,
      ],
      [
        wasm({ config: { e2b: { language: 'PYTHON', dependencies: { packages: ['x'.repeat(501)] } } } }),
        /at most 500 characters/,
      ],
      [wasm({ description: 'x'.repeat(2_001) }), /at most 2000 characters/],
    ];
    for (const [input, expected] of cases)
      assert.match(await errorOf(CREATE, input), expected, JSON.stringify(input).slice(0, 100));

    const { sandboxConfig } = (await server.ask(CREATE, { input: wasm() })).createSandboxConfig;
    await server.ask(
      'mutation ($input: CreateCodeEvaluatorInput!) { createCodeEvaluator(input: $input) { evaluator { id } } }',
      {
        input: {
          name: 'user',
          language: 'PYTHON',
          sourceCode: 'def evaluate(): return 1',
          sandboxConfigId: sandboxConfig.id,
        },
      },
    );
    assert.match(await errorOf(DELETE, { id: sandboxConfig.id }), /is used by a code evaluator/);
  });

  test('a provider is switched, and one that the server lacks cannot be switched on', async () => {
    const off = await server.ask(PROVIDER, { input: { id: idOf('WASM'), enabled: false } });
    assert.equal(off.updateSandboxProvider.sandboxProvider.enabled, false);
    const { sandboxBackends } = await server.ask('{ sandboxBackends { status } }');
    assert.equal(sandboxBackends[0].status, 'DISABLED');
    const create =
      'mutation ($input: CreateCodeEvaluatorInput!) { createCodeEvaluator(input: $input) { evaluator { id } } }';
    const code = {
      name: 'off',
      language: 'PYTHON',
      sourceCode: 'def evaluate(): return 1',
      sandboxConfigId: toGlobalId('SandboxConfig', 1),
    };
    assert.match(await errorOf(create, code), /Sandbox provider WASM is disabled/);
    const preview = `mutation ($input: EvaluatorPreviewsInput!) { evaluatorPreviews(input: $input) { results { error } } }`;
    const inlineCodeEvaluator = { name: 'off', language: 'PYTHON', sourceCode: code.sourceCode, outputConfigs: [] };
    const inputMapping = { literalMapping: {}, pathMapping: {} };
    const previews = [{ evaluator: { inlineCodeEvaluator }, context: {}, inputMapping }];
    assert.match(await errorOf(preview, { previews }), /Sandbox provider WASM is disabled/);
    await server.ask(PROVIDER, { input: { id: idOf('WASM'), enabled: true } });

    const deployed = await server.ask(PROVIDER, {
      input: { id: idOf('E2B'), deployment: { e2b: { domain: 'e2b.example.com', apiUrl: null } } },
    });
    assert.deepEqual(deployed.updateSandboxProvider.sandboxProvider.deployment, {
      __typename: 'E2BDeploymentData',
      domain: 'e2b.example.com',
      apiUrl: null,
    });
    assert.match(await errorOf(PROVIDER, { id: idOf('E2B'), enabled: true }), /does not have E2B/);
    assert.match(
      await errorOf(PROVIDER, { id: idOf('WASM'), deployment: { e2b: {} } }),
      /deployment of WASM cannot be one of e2b/,
    );
    assert.match(await errorOf(PROVIDER, { id: idOf('NONE'), enabled: true }), /Invalid sandbox provider id/);
  });
});
