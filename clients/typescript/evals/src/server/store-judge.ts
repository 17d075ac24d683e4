import { EvaluationError, InputError } from '../errors.ts';
import type { JudgeEvaluator } from '../metrics/judges/judge-evaluator.ts';
import { judgePrompt } from '../metrics/judges/judge-file.ts';
import { toModel } from '../models/to-model.ts';

/** The part of a client of `@spandrel/client` that is used: it sends a request and throws for error statuses. */
export interface ServerClient {
  fetch(path: string, init?: RequestInit): Promise<Response>;
}

export interface JudgeModelOptions {
  /** The server's name of the vendor, such as `OPENAI`. By default that of the judge's model. */
  readonly modelProvider?: string;
  readonly modelName?: string;
}

export interface StoreJudgeOptions extends JudgeModelOptions {
  /** Of `@spandrel/client`. */
  readonly client: ServerClient;
  readonly promptName: string;
  readonly description?: string;
}

export interface AttachJudgeOptions extends JudgeModelOptions {
  readonly client: ServerClient;
  readonly datasetId: string;
  /** Of `storeJudge`. */
  readonly promptVersionId: string;
  /** An identifier, unique in the dataset. By default that of the judge. */
  readonly name?: string;
  /** Variable of the judge → path into `input`, `output`, `reference` and `metadata`. Without one, the value of its name. */
  readonly inputMapping?: Readonly<Record<string, string>>;
}

/** Names of vendors, to those of the server. */
const PROVIDERS = new Map([
  ['openai', 'OPENAI'],
  ['openai.chat', 'OPENAI'],
  ['openai.responses', 'OPENAI'],
  ['azure', 'AZURE_OPENAI'],
  ['anthropic', 'ANTHROPIC'],
  ['anthropic.messages', 'ANTHROPIC'],
  ['google', 'GOOGLE'],
  ['google.generative-ai', 'GOOGLE'],
  ['bedrock', 'AWS'],
  ['amazon-bedrock', 'AWS'],
]);
/** The server's name of a vendor → the name of its parameters in REST, and in GraphQL. Others have those of OpenAI. */
const PARAMETERS = new Map([
  ['ANTHROPIC', 'anthropic'],
  ['GOOGLE', 'google'],
  ['AWS', 'aws'],
]);
const ANTHROPIC_TOKENS = 1_000;

const CREATE = `mutation ($input: CreateDatasetLLMEvaluatorInput!) {
  createDatasetLlmEvaluator(input: $input) { evaluator { id } }
}`;

/**
 * Stores a judge as the newest version of a prompt of the server, with the function that its model must call.
 *
 * @returns the ID of the version, for `attachJudge`
 * @throws {InputError} if the judge compares two texts, which the server does not offer, or the vendor is unknown there
 */
export async function storeJudge(
  evaluator: JudgeEvaluator,
  { client, promptName, description, ...model }: StoreJudgeOptions,
): Promise<{ readonly id: string }> {
  const { provider, name } = modelOf(evaluator, model);
  const type = provider.toLowerCase();
  const version = {
    description: description ?? `${evaluator.judge.name}, version ${evaluator.judge.version}`,
    ...{ model_provider: provider, model_name: name, template_type: 'CHAT', template_format: 'MUSTACHE' },
    template: { type: 'chat', messages: judgePrompt(evaluator.judge) },
    invocation_parameters: { type, [type]: provider === 'ANTHROPIC' ? { max_tokens: ANTHROPIC_TOKENS } : {} },
    tools: {
      type: 'tools',
      tools: [{ type: 'function', function: toFunction(evaluator) }],
      tool_choice: { type: 'one_or_more' },
    },
  };
  const { data } = (await post(client, '/v1/prompts', { prompt: { name: promptName }, version })) as {
    data: { id: string };
  };
  return { id: data.id };
}

/**
 * Makes a stored judge an evaluator of a dataset: the server runs it in the experiments that it runs.
 *
 * @returns the ID of the dataset's evaluator
 * @throws {EvaluationError} with the reason of the server
 */
export async function attachJudge(
  evaluator: JudgeEvaluator,
  { client, datasetId, promptVersionId, name, inputMapping = {}, ...options }: AttachJudgeOptions,
): Promise<{ readonly id: string }> {
  const model = modelOf(evaluator, options);
  const { provider } = model;
  const offered = toFunction(evaluator);
  const parameters = provider === 'ANTHROPIC' ? { maxTokens: ANTHROPIC_TOKENS } : {};
  const input = {
    ...{ datasetId, promptVersionId, name: name ?? evaluator.name, description: offered.description },
    promptVersion: {
      templateFormat: 'MUSTACHE',
      template: {
        messages: judgePrompt(evaluator.judge).map(({ role, content }) => ({
          role: role.toUpperCase(),
          content: [{ text: { text: content } }],
        })),
      },
      invocationParameters: { [PARAMETERS.get(provider) ?? 'openai']: parameters },
      tools: { tools: [{ function: offered }], toolChoice: { oneOrMore: true } },
      ...{ modelProvider: provider, modelName: model.name },
    },
    outputConfigs: [
      {
        categorical: {
          name: evaluator.name,
          optimizationDirection: evaluator.optimizationDirection,
          values: evaluator.judge.choices.map(({ label, score }) => ({ label, score })),
        },
      },
    ],
    inputMapping: { pathMapping: inputMapping, literalMapping: {} },
  };
  // Evaluators of datasets are only in GraphQL.
  const { data, errors } = (await post(client, '/graphql', { query: CREATE, variables: { input } })) as {
    data?: { createDatasetLlmEvaluator?: { evaluator: { id: string } } } | null;
    errors?: readonly { message: string }[];
  };
  const id = data?.createDatasetLlmEvaluator?.evaluator.id;
  if (id !== undefined) return { id };
  throw new EvaluationError(
    `The server did not attach the judge: ${errors?.[0]?.message.slice(0, 500) ?? 'no reason given'}`,
  );
}

async function post(client: ServerClient, path: string, body: unknown): Promise<unknown> {
  const headers = { 'content-type': 'application/json' };
  return (await client.fetch(path, { method: 'POST', headers, body: JSON.stringify(body) })).json();
}

function modelOf(evaluator: JudgeEvaluator, { modelProvider, modelName }: JudgeModelOptions) {
  if (evaluator.judge.swap) {
    throw new InputError(`${evaluator.name} compares two texts; the server asks its evaluators once per target.`);
  }
  const model = toModel(evaluator.model);
  const provider = modelProvider ?? PROVIDERS.get(model.provider);
  if (provider === undefined) {
    throw new InputError(`The server's name of the vendor ${model.provider} is unknown; give modelProvider.`);
  }
  return { provider, name: modelName ?? model.name };
}

/** The function of the server's contract: its name is that of the output, its label is one of the choices. */
function toFunction({ name, judge }: JudgeEvaluator) {
  return {
    name,
    description: judge.description,
    parameters: {
      type: 'object',
      properties: {
        explanation: { type: 'string', description: 'The reason, in one or two sentences' },
        label: { type: 'string', enum: judge.choices.map(({ label }) => label), description: name },
      },
      required: ['explanation', 'label'],
    },
  };
}
