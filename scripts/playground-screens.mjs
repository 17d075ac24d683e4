// Screens of the playground and of its settings (providers, sandboxes), for screenshots.mjs. Models are those of the test
// endpoint of vendors, so the tests must be built.
import { withVendorEndpoint } from './vendor-endpoint.mjs';

/** Starts two servers, one with keys and one without, and returns what `withVendorEndpoint` does. */
export const playgroundScreens = (startServer) => withVendorEndpoint((vendor) => screensOf(startServer, vendor));

async function screensOf(startServer, vendor) {
  const bare = await startServer({
    SERVICE_ALLOWED_PROVIDERS: 'openai,anthropic,ollama,azure_openai',
    SERVICE_ALLOWED_SANDBOX_PROVIDERS: 'NONE',
  });
  const url = await startServer({
    ...{ OPENAI_API_KEY: 'sk-test', OPENAI_BASE_URL: `${vendor}/v1` },
    ...{ GROQ_API_KEY: 'gsk-test', AWS_ACCESS_KEY_ID: 'AKIA' },
  });
  await createProviders(url, vendor);
  await createRecorded(url);
  await createAnnotationConfigs(url);
  return [...settingsScreens(url, bare), ...(await runScreens(url, bare))];
}

function settingsScreens(url, bare) {
  const sandboxes = `${url}/settings/sandboxes`;
  const providers = `${url}/settings/providers`;
  const press = (name) => (tab) => tab.getByRole('button', { name, exact: true }).click();
  return [
    ['providers-missing', `${bare}/settings/providers`],
    ['providers', providers],
    [
      'providers-tested',
      providers,
      async (tab) => {
        await press('Test OpenAI')(tab);
        await press('Test Anthropic')(tab);
        await tab.locator('.provider-ok, .vendor-result .error-text').nth(1).waitFor();
      },
    ],
    ['providers-keys', providers, press('Keys of AWS Bedrock')],
    ['providers-keys-stored', providers, press('Keys of Anthropic')],
    [
      'providers-custom',
      providers,
      async (tab) => {
        await press('Edit Team gateway')(tab);
        await tab.getByRole('dialog').getByRole('button', { name: 'Test' }).click();
        await tab.getByRole('dialog').locator('.provider-ok, .error-text').first().waitFor();
      },
    ],
    [
      'providers-new-azure',
      providers,
      async (tab) => {
        await press('Add provider')(tab);
        await tab.getByLabel('SDK').selectOption('AZURE_OPENAI');
        await tab.getByLabel('Authentication').selectOption('entra');
      },
    ],
    ['sandboxes', sandboxes],
    ['sandboxes-new', sandboxes, press('Create config')],
    ['sandboxes-disabled', `${bare}/settings/sandboxes`],
  ];
}

/** Every state of the grid. Texts in double brackets tell the endpoint what to answer. */
async function runScreens(url, bare) {
  const at = `${url}/playground`;
  const datasetId = await createDataset(url);
  const overDataset = `${at}?datasetId=${encodeURIComponent(datasetId)}`;
  const field = (tab, label, index = 0) => tab.locator(`textarea[aria-label="${label}"]`).nth(index);
  const message = (tab, text, index = 0) => field(tab, 'User message 2', index).fill(text);
  const question = (tab, text) => field(tab, 'question, case 1').fill(text);
  const press = (tab, name) => tab.getByRole('button', { name }).first().click();
  const run = (tab) => press(tab, 'Run all');
  const status = (tab, name, index = 0) => tab.locator(`.output[data-status="${name}"]`).nth(index).waitFor();
  const two = async (tab, first, second) => {
    await message(tab, first);
    await press(tab, 'Variant');
    await message(tab, second, 1);
  };
  const LONG =
    'The refund takes three to five working days. You can follow it in your account under Orders, where each step has its date.';
  const done = async (tab) => {
    await question(tab, 'When do I get my refund?');
    await two(
      tab,
      `[[say ${LONG}]] {{question}}`,
      `[[say ${LONG.replace('three to five', 'about four')}]] {{question}}`,
    );
    await run(tab);
    await status(tab, 'done', 1);
  };
  const all = async (tab) => {
    await message(tab, 'Answer shortly: {{question}}');
    await run(tab);
  };
  const annotate = async (tab) => {
    await tab.locator('.output').first().click();
    await tab.keyboard.press('e');
    await tab.locator('.annotation-pane').waitFor();
  };
  const spans = async (tab) => {
    await press(tab, 'Spans');
    await tab.locator('.pg-project').selectOption({ label: 'playground' });
    await tab.getByText(/[1-9]\d* cases?/).waitFor();
    await message(tab, 'Summarize: {{output}}');
    await tab.locator('.run-estimate').waitFor();
  };
  return [
    ['playground-empty', at],
    [
      'playground-no-key',
      `${bare}/playground`,
      async (tab) => {
        await question(tab, 'When do I get my refund?');
        await run(tab);
        await status(tab, 'error');
      },
    ],
    [
      'playground-ready',
      at,
      async (tab) => {
        await question(tab, 'When do I get my refund?');
        await tab.locator('.run-estimate').waitFor();
      },
    ],
    [
      'playground-missing',
      at,
      async (tab) => {
        await message(tab, 'Answer {{question}} for a customer in {{country}} who pays by {{method}}');
        await question(tab, 'When do I get my refund?');
      },
    ],
    [
      'playground-running',
      at,
      async (tab) => {
        await question(tab, 'When do I get my refund?');
        await two(tab, '[[rate 8]] {{question}} ' + LONG, '[[latency 60000]] {{question}}');
        await run(tab);
        await status(tab, 'running');
        await tab.waitForTimeout(900);
      },
    ],
    ['playground-done', at, done],
    [
      'playground-diff',
      at,
      async (tab) => {
        await done(tab);
        await press(tab, 'Diff');
      },
    ],
    [
      'playground-output',
      at,
      async (tab) => {
        await done(tab);
        await press(tab, /Open the output of A|Output of A/);
      },
    ],
    ['playground-annotate-nothing', at, annotate],
    [
      'playground-annotate',
      at,
      async (tab) => {
        await done(tab);
        await annotate(tab);
        await tab.getByRole('button', { name: /unhelpful/ }).waitFor();
      },
    ],
    [
      'playground-annotated',
      at,
      async (tab) => {
        await done(tab);
        await annotate(tab);
        await tab.getByRole('button', { name: /unhelpful/ }).waitFor();
        await tab.keyboard.press('1');
        await tab.locator('.output-own').waitFor();
      },
    ],
    [
      'playground-annotate-no-trace',
      `${bare}/playground`,
      async (tab) => {
        await question(tab, 'When do I get my refund?');
        await run(tab);
        await status(tab, 'error');
        await annotate(tab);
      },
    ],
    [
      'playground-error',
      at,
      async (tab) => {
        await question(tab, 'When do I get my refund?');
        await two(tab, '[[fault 400]] {{question}}', '[[tool find_order {"order": 7}]] {{question}}');
        await run(tab);
        await status(tab, 'error');
        await status(tab, 'done');
      },
    ],
    [
      'playground-stopped',
      at,
      async (tab) => {
        await question(tab, 'When do I get my refund?');
        await two(tab, '[[latency 60000]] {{question}}', '[[latency 60000]] {{question}}');
        await run(tab);
        await tab.waitForTimeout(300);
        await press(tab, 'Stop all');
      },
    ],
    ['playground-model', at, (tab) => tab.getByTitle('Model and parameters').first().click()],
    [
      'playground-tools',
      at,
      async (tab) => {
        await press(tab, 'Tools');
        await press(tab, 'Add tool');
        await tab.locator('.tool-card').getByRole('button', { name: 'JSON' }).click();
      },
    ],
    [
      'playground-dataset',
      overDataset,
      async (tab) => {
        await message(tab, 'Answer shortly: {{question}}');
        await tab.locator('.run-estimate').waitFor();
      },
    ],
    [
      'playground-dataset-running',
      overDataset,
      async (tab) => {
        await tab.getByLabel('At a time').fill('1');
        await tab.getByLabel('Calls').fill('30');
        await all(tab);
        await status(tab, 'done', 3);
      },
    ],
    [
      'playground-dataset-done',
      overDataset,
      async (tab) => {
        await all(tab);
        await tab.getByText('24 of 24').waitFor();
      },
    ],
    [
      'playground-budget',
      overDataset,
      async (tab) => {
        await tab.getByLabel('Calls').fill('5');
        await all(tab);
        await tab.getByText('The budget of 5 calls is used up').waitFor();
      },
    ],
    [
      'playground-experiment',
      overDataset,
      async (tab) => {
        await all(tab);
        await tab.getByText('24 of 24').waitFor();
        await tab.getByRole('link', { name: 'Experiment', exact: true }).click();
        await tab.getByRole('link', { name: 'Open in the playground' }).click();
        await tab.getByText('24 of 24').waitFor();
      },
    ],
    ['playground-spans', at, spans],
    [
      'playground-spans-done',
      at,
      async (tab) => {
        await spans(tab);
        await run(tab);
        await status(tab, 'done');
      },
    ],
    ['playground-keys', at, (tab) => tab.keyboard.press('?')],
  ];
}

/** Recorded calls, which later runs take as cases. */
async function createRecorded(url) {
  const span = (index) => ({
    name: 'answer',
    span_kind: 'LLM',
    context: { trace_id: String(index).padStart(32, '0'), span_id: String(index).padStart(16, '0') },
    start_time: new Date(Date.now() - index * 60_000).toISOString(),
    end_time: new Date(Date.now() - index * 60_000 + 900).toISOString(),
    status_code: 'OK',
    attributes: {
      'openinference.span.kind': 'LLM',
      'llm.model_name': 'gpt-4o-mini',
      'llm.provider': 'openai',
      'input.value': `Where is order ${index}?`,
      'output.value': `Order ${index} left our warehouse on Monday and arrives tomorrow.`,
      'llm.input_messages': [{ message: { role: 'user', content: `Where is order ${index}?` } }],
    },
  });
  await fetch(`${url}/v1/projects`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'playground' }),
  });
  await fetch(`${url}/v1/projects/playground/spans`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ data: [1, 2, 3, 4, 5, 6, 7].map(span) }),
  });
}

/** Annotation configs of the project to which the playground writes its spans. */
async function createAnnotationConfigs(url) {
  const { getProjectByName: project } = await ask(url, '{ getProjectByName(name: "playground") { id } }');
  const values = [
    { label: 'helpful', score: 1 },
    { label: 'unhelpful', score: 0 },
  ];
  for (const annotationConfig of [
    { categorical: { name: 'help', optimizationDirection: 'MAXIMIZE', values } },
    { continuous: { name: 'tone', optimizationDirection: 'MAXIMIZE', lowerBound: 0, upperBound: 1 } },
  ]) {
    const { createAnnotationConfig: created } = await ask(
      url,
      `mutation ($input: CreateAnnotationConfigInput!) {
        createAnnotationConfig(input: $input) { annotationConfig { ... on Node { id } } } }`,
      { input: { annotationConfig } },
    );
    await ask(
      url,
      `mutation ($input: [AddAnnotationConfigToProjectInput!]!) {
        addAnnotationConfigToProject(input: $input) { __typename } }`,
      { input: [{ projectId: project.id, annotationConfigId: created.annotationConfig.id }] },
    );
  }
}

async function createDataset(url) {
  const topics = ['my refund', 'the invoice of March', 'a second seat', 'the export of all data'];
  const response = await fetch(`${url}/v1/datasets/upload?sync=true`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      ...{ action: 'create', name: 'support questions' },
      inputs: Array.from({ length: 24 }, (_, index) => ({
        question: `How do I get ${topics[index % 4]}, case ${index + 1}?`,
      })),
      outputs: Array.from({ length: 24 }, () => ({ answer: 'In your account, under Billing.' })),
      metadata: Array.from({ length: 24 }, () => ({})),
    }),
  });
  return (await response.json()).data.dataset_id;
}

async function createProviders(url, vendor) {
  await ask(
    url,
    'mutation ($input: UpsertOrDeleteSecretsMutationInput!) { upsertOrDeleteSecrets(input: $input) { __typename } }',
    {
      input: { secrets: [{ key: 'ANTHROPIC_API_KEY', value: 'sk-ant', hosts: ['gateway.example.com'] }] },
    },
  );
  const create = `mutation ($input: CreateGenerativeModelCustomProviderMutationInput!) {
    createGenerativeModelCustomProvider(input: $input) { __typename } }`;
  const apiKey = 'sk-0123456789abcdef';
  for (const input of [
    {
      name: 'Team gateway',
      description: 'Shared gateway with the budget of the support team',
      provider: 'openai',
      clientConfig: {
        openai: {
          openaiAuthenticationMethod: { apiKey },
          openaiClientKwargs: { baseUrl: `${vendor}/v1`, defaultHeaders: { 'X-Team': 'support' } },
        },
      },
    },
    {
      name: 'Claude in Frankfurt',
      provider: 'aws',
      clientConfig: {
        awsBedrock: {
          awsBedrockAuthenticationMethod: { defaultCredentials: true },
          awsBedrockClientKwargs: { regionName: 'eu-central-1' },
        },
      },
    },
  ]) {
    await ask(url, create, { input });
  }
}

async function ask(url, query, variables) {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors } = await response.json();
  if (errors) throw new Error(JSON.stringify(errors));
  return data;
}
