import type { OpenAIApiType } from '../../../model/models/custom-provider.ts';
import type { RequestCredentials, TaskConnection } from '../../../model/playground/chat-task.ts';
import type { ModelProvider } from '../../../model/prompts/prompt-parameters.ts';
import { reject } from '../arguments.ts';
import { checkObject } from '../prompts/prompt-input.ts';

export interface ConnectionConfigInput {
  readonly baseUrl?: string | null;
  readonly azureEndpoint?: string | null;
  readonly regionName?: string | null;
  readonly endpointUrl?: string | null;
  readonly openaiApiType?: 'CHAT_COMPLETIONS' | 'RESPONSES' | null;
  readonly organization?: string | null;
  readonly project?: string | null;
}

/** The fields that apply to a provider. Null when they say nothing but its defaults. */
export function toConnection(
  input: ConnectionConfigInput | null | undefined,
  provider: ModelProvider,
): TaskConnection | null {
  if (!input) return null;
  const { baseUrl, organization, project } = input;
  const api = (input.openaiApiType ?? 'CHAT_COMPLETIONS').toLowerCase() as OpenAIApiType;
  const base_url = baseUrl || undefined;
  switch (provider) {
    case 'AZURE_OPENAI':
      return input.azureEndpoint
        ? { type: 'azure_openai', azure_endpoint: input.azureEndpoint, openai_api_type: api }
        : null;
    case 'ANTHROPIC':
      return base_url === undefined ? null : { type: 'anthropic', base_url };
    case 'GOOGLE':
      return base_url === undefined ? null : { type: 'google_genai', base_url };
    case 'AWS': {
      const fields = present({ region_name: input.regionName, endpoint_url: input.endpointUrl });
      return Object.keys(fields).length === 0 ? null : { type: 'aws_bedrock', ...fields };
    }
    default: {
      const fields = present({ base_url, organization, project });
      if (Object.keys(fields).length === 0 && api === 'chat_completions') return null;
      return { type: 'openai', ...fields, openai_api_type: api };
    }
  }
}

/** Without fields that are absent or empty. */
const present = <Key extends string>(fields: Readonly<Record<Key, string | null | undefined>>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value)) as { readonly [Name in Key]?: string };

/** @throws {SpandrelError} `QUERY_INVALID` */
export function toHeaders(input: unknown): Readonly<Record<string, string>> | null {
  if (input === null || input === undefined) return null;
  const headers = Object.entries(checkObject('headers', input));
  for (const [name, value] of headers) {
    if (typeof value !== 'string') reject(`The header ${name} must be a string`);
  }
  return headers.length === 0 ? null : (Object.fromEntries(headers) as Record<string, string>);
}

export interface CredentialInput {
  readonly envVarName: string;
  readonly value: string;
}

/** Credentials by name. An empty one counts as absent. */
export const toCredentials = (input: readonly CredentialInput[] | null | undefined): RequestCredentials =>
  Object.fromEntries(
    (input ?? []).filter(({ value }) => value !== '').map(({ envVarName, value }) => [envVarName, value]),
  );
