import type { Authored } from '../access/author.ts';

/** SDKs for model vendors. Each has its own authentication and options. */
export const PROVIDER_SDKS = ['openai', 'azure_openai', 'anthropic', 'aws_bedrock', 'google_genai'] as const;
export type ProviderSdk = (typeof PROVIDER_SDKS)[number];

/** A model provider that a user has created, with its credentials. */
export interface CustomProvider extends Authored {
  readonly rowId: number;
  /** Unique name. */
  readonly name: string;
  readonly description: string | null;
  /** Name of the vendor of its models, for example `openai`. */
  readonly provider: string;
  readonly sdk: ProviderSdk;
  /** An encrypted `ProviderConfig` as JSON. */
  readonly sealedConfig: Buffer;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export type NewCustomProvider = Pick<
  CustomProvider,
  'name' | 'description' | 'provider' | 'sdk' | 'sealedConfig' | 'userId'
>;

/** Editable fields of a provider. An undefined field keeps its value. SDK and config change together. */
export interface CustomProviderChanges {
  readonly name?: string | undefined;
  readonly description?: string | null | undefined;
  readonly provider?: string | undefined;
  readonly sdk?: ProviderSdk | undefined;
  readonly sealedConfig?: Buffer | undefined;
}

/** Header values by name. They may be secrets. */
export type Headers = Readonly<Record<string, string>>;

export interface ApiKey {
  readonly type: 'api_key';
  readonly api_key: string;
}
/** Credentials from the environment of the server. */
export interface DefaultCredentials {
  readonly type: 'default_credentials';
}
export interface AzureAdTokenProvider {
  readonly type: 'azure_ad_token_provider';
  readonly azure_tenant_id: string;
  readonly azure_client_id: string;
  readonly azure_client_secret: string;
  readonly scope: string;
}
export interface AwsAccessKeys {
  readonly type: 'access_keys';
  readonly aws_access_key_id: string;
  readonly aws_secret_access_key: string;
  readonly aws_session_token?: string;
}

export type OpenAIApiType = 'chat_completions' | 'responses';

/** The content that is encrypted. Absent fields stay absent. */
export type ProviderConfig =
  | {
      readonly type: 'openai';
      readonly openai_authentication_method: ApiKey;
      readonly openai_client_kwargs?: {
        readonly base_url?: string;
        readonly organization?: string;
        readonly project?: string;
        readonly default_headers?: Headers;
      };
      readonly openai_api_type: OpenAIApiType;
    }
  | {
      readonly type: 'azure_openai';
      readonly azure_openai_authentication_method: ApiKey | AzureAdTokenProvider | DefaultCredentials;
      readonly azure_openai_client_kwargs: { readonly azure_endpoint: string; readonly default_headers?: Headers };
      readonly openai_api_type: OpenAIApiType;
    }
  | {
      readonly type: 'anthropic';
      readonly anthropic_authentication_method: ApiKey;
      readonly anthropic_client_kwargs?: { readonly base_url?: string; readonly default_headers?: Headers };
    }
  | {
      readonly type: 'aws_bedrock';
      readonly aws_bedrock_authentication_method: AwsAccessKeys | DefaultCredentials;
      readonly aws_bedrock_client_kwargs: { readonly region_name: string; readonly endpoint_url?: string };
    }
  | {
      readonly type: 'google_genai';
      readonly google_genai_authentication_method: ApiKey;
      readonly google_genai_client_kwargs?: {
        readonly http_options?: { readonly base_url?: string; readonly headers?: Headers };
      };
    };
