import type { ExactJsonObject } from '../../../base/exact-json.ts';
import type { ChatTask } from '../../../model/playground/chat-task.ts';
import type { TemplateFormat } from '../../../model/prompts/prompt-template.ts';
import type { Subscriber } from '../execution/compiled-subscription.ts';
import { type BudgetInput, toBudget } from '../experiments/experiment-job-mutations.ts';
import { rowIdOfNode, rowIdsOfNodes } from '../node.ts';
import { type ChatPromptVersionInput, checkObject, toContent } from '../prompts/prompt-input.ts';
import { toEventSource } from './chat-events.ts';
import {
  type ConnectionConfigInput,
  type CredentialInput,
  toConnection,
  toCredentials,
  toHeaders,
} from './connection-input.ts';

interface TaskInput {
  readonly promptVersion: ChatPromptVersionInput;
  readonly promptVersionId?: string | null;
  readonly promptName?: string | null;
  readonly connectionConfig?: ConnectionConfigInput | null;
  readonly headers?: unknown;
  readonly streamModelOutput: boolean;
}

export interface ChatCompletionInput extends TaskInput {
  readonly template?: { readonly variables: unknown; readonly format: TemplateFormat } | null;
  readonly credentials?: readonly CredentialInput[] | null;
  readonly repetitions: number;
  readonly budget?: BudgetInput | null;
}

export interface OverDatasetInput extends TaskInput {
  readonly credentials?: readonly CredentialInput[] | null;
  readonly repetitions: number;
  readonly datasetId: string;
  readonly datasetVersionId?: string | null;
  readonly splitIds?: readonly string[] | null;
  readonly experimentName?: string | null;
  readonly experimentDescription?: string | null;
  readonly experimentMetadata?: unknown;
  readonly evaluators: readonly { readonly id: string }[];
  readonly appendedMessagesPath?: string | null;
  readonly templateVariablesPath?: string | null;
  readonly createEphemeralExperiment?: boolean | null;
  readonly maxConcurrency: number;
  readonly budget?: BudgetInput | null;
  readonly useCache: boolean;
}

/** @throws {SpandrelError} `QUERY_INVALID`, `NODE_ID_INVALID`, `PROVIDER_NOT_FOUND` */
function toTask(input: TaskInput): ChatTask {
  const { description: _, ...prompt } = toContent(input.promptVersion);
  const { promptVersionId } = input;
  const hasProvider = typeof prompt.customProviderId === 'number';
  return {
    prompt,
    promptVersionRowId: promptVersionId ? rowIdOfNode('PromptVersion', promptVersionId) : null,
    promptName: input.promptName ?? null,
    connection: hasProvider ? null : toConnection(input.connectionConfig, prompt.modelProvider),
    headers: toHeaders(input.headers),
    isStreamed: input.streamModelOutput,
  };
}

/** @throws {SpandrelError} as `toTask` */
export function toChatInput({ template, credentials, repetitions, budget, ...input }: ChatCompletionInput) {
  const task = toTask(input);
  const prompt = template ? { ...task.prompt, templateFormat: template.format } : task.prompt;
  return {
    task: { ...task, prompt },
    variables: template ? checkObject('variables', template.variables) : null,
    repetitions,
    credentials: toCredentials(credentials),
    budget: toBudget(budget),
  };
}

const chatCompletion: Subscriber = (args, { domain, signal, fragmentTypes }) => {
  const input = toChatInput(args.input as ChatCompletionInput);
  return toEventSource(domain.playground.streamChat(input, signal), fragmentTypes);
};

export const toOverDatasetInput = (input: OverDatasetInput) => ({
  task: toTask(input),
  credentials: toCredentials(input.credentials),
  repetitions: input.repetitions,
  datasetRowId: rowIdOfNode('Dataset', input.datasetId),
  datasetVersionRowId: input.datasetVersionId ? rowIdOfNode('DatasetVersion', input.datasetVersionId) : null,
  splitRowIds: rowIdsOfNodes('DatasetSplit', input.splitIds ?? []),
  name: input.experimentName ?? null,
  description: input.experimentDescription ?? null,
  metadata: toMetadata(input.experimentMetadata),
  datasetEvaluatorRowIds: rowIdsOfNodes(
    'DatasetEvaluator',
    input.evaluators.map(({ id }) => id),
  ),
  paths: {
    templateVariables: input.templateVariablesPath ?? '',
    appendedMessages: input.appendedMessagesPath || null,
  },
  isEphemeral: input.createEphemeralExperiment ?? false,
  maxConcurrency: input.maxConcurrency,
  budget: toBudget(input.budget),
  usesCache: input.useCache,
});

const chatCompletionOverDataset: Subscriber = (args, { domain, signal, fragmentTypes }) => {
  const input = toOverDatasetInput(args.input as OverDatasetInput);
  return toEventSource(domain.experiments.streamOverDataset(input, signal), fragmentTypes);
};

const toMetadata = (input: unknown): ExactJsonObject =>
  input === null || input === undefined ? {} : checkObject('experimentMetadata', input);

export const chatSubscribers: Readonly<Record<string, Subscriber>> = { chatCompletion, chatCompletionOverDataset };
