import type { OpenAIApiType } from '../../model/models/custom-provider.ts';
import type { ModelProvider } from '../../model/prompts/prompt-parameters.ts';

/** Everything that is needed to reach a model: the domain has resolved keys and addresses, and checked that they may meet. */
export interface ModelTarget {
  readonly modelName: string;
  readonly modelProvider: ModelProvider;
  /** Value of `llm.provider`; a custom provider has its own word. */
  readonly providerWord: string;
  readonly connection: ModelConnection;
}

/** Header values by name. They may be secrets. */
type Headers = Readonly<Record<string, string>>;

/** An undefined `baseUrl` or `endpointUrl` is the vendor's own address. */
export type ModelConnection =
  | {
      readonly type: 'openai';
      readonly api: OpenAIApiType;
      readonly baseUrl: string | undefined;
      readonly apiKey: string;
      readonly organization: string | undefined;
      readonly project: string | undefined;
      readonly headers: Headers;
    }
  | {
      readonly type: 'azure_openai';
      readonly api: OpenAIApiType;
      readonly endpoint: string;
      readonly credential:
        | { readonly type: 'key'; readonly apiKey: string }
        | { readonly type: 'default' }
        | {
            readonly type: 'client';
            readonly tenantId: string;
            readonly clientId: string;
            readonly clientSecret: string;
            readonly scope: string;
          };
      readonly headers: Headers;
    }
  | {
      readonly type: 'anthropic';
      readonly baseUrl: string | undefined;
      readonly apiKey: string;
      readonly headers: Headers;
    }
  | {
      readonly type: 'google_genai';
      readonly baseUrl: string | undefined;
      readonly apiKey: string;
      readonly headers: Headers;
    }
  | {
      readonly type: 'aws_bedrock';
      readonly region: string;
      readonly endpointUrl: string | undefined;
      readonly credential:
        | {
            readonly type: 'keys';
            readonly accessKeyId: string;
            readonly secretAccessKey: string;
            readonly sessionToken: string | undefined;
          }
        | { readonly type: 'default' };
      readonly headers: Headers;
    };
