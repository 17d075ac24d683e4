import type { ModelProvider } from '../../model/prompts/prompt-parameters.ts';

/** What the operator has set for calls to models. */
export interface ModelSettings {
  /** Providers that may be called. Undefined: all. Custom providers are not limited. */
  readonly allowedProviders: ReadonlySet<ModelProvider> | undefined;
  /** Variables of the environment with keys and addresses of vendors, by name. */
  readonly variables: Readonly<Record<string, string>>;
  /** Hosts that may receive a key of the environment although a request names them, by the name of the key. */
  readonly keyHosts: ReadonlyMap<string, readonly string[]>;
  /** Maximum milliseconds without a chunk of a response in the playground. */
  readonly silenceMsMax: number;
  /** What clients learn about traces of assistants. */
  readonly agents: { readonly collectorEndpoint: string | undefined; readonly assistantProjectName: string };
}

export const isAllowed = ({ allowedProviders }: ModelSettings, provider: ModelProvider): boolean =>
  allowedProviders?.has(provider) ?? true;
