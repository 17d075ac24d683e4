import { listKnownModels } from '../../../model/models/known-models.ts';
import { offeredParameters } from '../../../model/models/offered-parameters.ts';
import type { ModelProvider } from '../../../model/prompts/prompt-parameters.ts';
import type { GraphqlContext } from '../context.ts';
import { type CredentialInput, toCredentials } from '../playground/connection-input.ts';
import type { Fields } from '../prompts/prompt-input.ts';
import type { Resolvers } from '../resolvers.ts';
import { toProviderConfig } from './custom-provider-input.ts';
import { toParameter } from './invocation-parameter.ts';

interface ModelsArguments {
  readonly input?: {
    readonly providerKey?: ModelProvider | null;
    readonly modelName?: string | null;
    readonly openaiApiType?: 'CHAT_COMPLETIONS' | 'RESPONSES' | null;
  } | null;
}

export const modelProviderQueries: Resolvers = {
  async modelProviders(_source, _args, { domain, items }: GraphqlContext) {
    const vendors = await domain.providers.listVendors();
    items.take(vendors.length);
    return vendors.map(({ key, vendor, hasCredentials }) => ({
      key,
      name: vendor.displayName,
      dependencies: [vendor.dependency],
      // The server contains all of them.
      dependenciesInstalled: true,
      credentialRequirements: vendor.credentials.map(({ name, isRequired }) => ({ envVarName: name, isRequired })),
      credentialsSet: hasCredentials,
      baseUrlVariable: vendor.baseUrlVariable,
      baseUrl: vendor.baseUrl,
    }));
  },
  async modelProviderStates(_source, _args, { domain, items }: GraphqlContext) {
    const vendors = await domain.providers.describeVendors();
    items.take(vendors.length);
    return vendors.map(({ key, vendor, status, keys, host, isAddressSet }) => {
      items.take(keys.length);
      return {
        ...{ key, status, host, isAddressSet },
        keys: keys.map((each) => ({ ...each, source: each.source ?? null })),
        name: vendor.displayName,
        addressVariable: vendor.baseUrlVariable,
      };
    });
  },
  playgroundModels(_source, { input }: ModelsArguments, { items }: GraphqlContext) {
    const models = listKnownModels(input?.providerKey ?? null);
    items.take(models.length);
    return models;
  },
  modelInvocationParameters(_source, { input }: ModelsArguments) {
    const { providerKey, modelName, openaiApiType } = input ?? {};
    if (!providerKey) return [];
    const api = openaiApiType === 'RESPONSES' ? 'responses' : 'chat_completions';
    return offeredParameters(providerKey, modelName ?? '', api).map(toParameter);
  },
  async agentsConfig(_source, _args, { domain }: GraphqlContext) {
    const { collectorEndpoint, assistantProjectName } = await domain.providers.describeAgents();
    return { collectorEndpoint: collectorEndpoint ?? null, assistantProjectName };
  },
};

interface TestInput {
  readonly providerKey: ModelProvider;
  readonly credentials?: readonly CredentialInput[] | null;
}

export const modelProviderMutations: Resolvers = {
  async testGenerativeProvider(_source, { input }: { readonly input: TestInput }, { domain }: GraphqlContext) {
    return { error: await domain.providers.testVendor(input.providerKey, toCredentials(input.credentials)) };
  },
  async testGenerativeModelCustomProviderCredentials(
    _source,
    { input }: { readonly input: Fields },
    { domain }: GraphqlContext,
  ) {
    return { error: await domain.providers.test(toProviderConfig(input, domain.secretBox)) };
  },
};
