import type { JobTask } from '../../../model/experiment-job.ts';
import type { OpenAIApiType } from '../../../model/models/custom-provider.ts';
import type { TaskConnection } from '../../../model/playground/chat-task.ts';
import { toVersionContent } from '../../../domain/prompts/version-content.ts';
import { whenKnown } from '../execution/batch-loader.ts';
import {
  toInvocationParameters,
  toPlainParameters,
  toResponseFormat,
  toTemplate,
  toTools,
} from '../prompts/prompt-content.ts';
import {
  customProviderRef,
  fromRow,
  id,
  type NodeRef,
  promptRef,
  promptVersionRef,
  type Resolvers,
} from '../resolvers.ts';

const row = fromRow(({ jobTasks }) => jobTasks);

export const promptTaskConfigResolvers: Resolvers = {
  id,
  prompt: row(({ task }) => toPrompt(task)),
  connection: row(({ task }) => task.connection && toConnection(task.connection)),
  playgroundConfig: row(({ paths }) => ({
    templateVariablesPath: paths.templateVariables,
    appendedMessagesPath: paths.appendedMessages,
  })),
  streamModelOutput: row(({ task }) => task.isStreamed),
  customProvider: row(({ task: { prompt } }, { loaders }) => {
    const { customProviderId: rowId } = prompt;
    // The provider may be deleted after the task was read.
    return typeof rowId === 'number'
      ? whenKnown(loaders.customProviders.load(rowId), (provider) => (provider ? customProviderRef(rowId) : null))
      : null;
  }),
};

interface PromptConfig {
  readonly promptVersion: NodeRef<'PromptVersion'> | null;
}

export const promptConfigResolvers: Resolvers = {
  /** The prompt of the stored version. Null when it is deleted, or the task was edited. */
  prompt: ({ promptVersion }: PromptConfig, _args: unknown, { loaders }) =>
    promptVersion &&
    whenKnown(loaders.promptVersions.load(promptVersion.rowId), (version) =>
      version ? promptRef(version.promptId) : null,
    ),
};

const toPrompt = ({ prompt, promptVersionRowId }: JobTask['task']) => ({
  templateType: prompt.template.type === 'chat' ? 'CHAT' : 'STRING',
  templateFormat: prompt.templateFormat,
  template: toTemplate(prompt.template),
  tools: prompt.tools && toTools(prompt.tools),
  responseFormat: prompt.responseFormat && toResponseFormat(prompt.responseFormat),
  invocationParameters: toInvocationParameters(prompt.invocationParameters),
  plainInvocationParameters: toPlainParameters(prompt.invocationParameters),
  modelProvider: prompt.modelProvider,
  modelName: prompt.modelName,
  content: toVersionContent({ ...prompt, description: null }),
  promptVersion: promptVersionRowId === null ? null : promptVersionRef(promptVersionRowId),
});

function toConnection(connection: TaskConnection): object {
  switch (connection.type) {
    case 'openai':
      return {
        __typename: 'OpenAIConnectionConfig',
        baseUrl: connection.base_url,
        organization: connection.organization,
        project: connection.project,
        openaiApiType: toApiType(connection.openai_api_type),
      };
    case 'azure_openai':
      return {
        __typename: 'AzureOpenAIConnectionConfig',
        azureEndpoint: connection.azure_endpoint,
        openaiApiType: toApiType(connection.openai_api_type),
      };
    case 'anthropic':
      return { __typename: 'AnthropicConnectionConfig', baseUrl: connection.base_url };
    case 'google_genai':
      return { __typename: 'GoogleGenAIConnectionConfig', baseUrl: connection.base_url };
    case 'aws_bedrock':
      return {
        __typename: 'AWSBedrockConnectionConfig',
        regionName: connection.region_name,
        endpointUrl: connection.endpoint_url,
      };
  }
}

const toApiType = (type: OpenAIApiType): string => type.toUpperCase();
