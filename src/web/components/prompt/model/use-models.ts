import { useDeferredValue, useMemo } from 'react';
import { useAllPages } from '../../../data/use-all-pages.ts';
import { useQuery } from '../../../data/use-query.ts';
import type { ModelChoice, ModelProvider } from '../variant/variant.ts';
import {
  type CustomModelProvidersData,
  customModelProviders,
  modelNames,
  modelParameters,
  modelProviders,
} from './generated/models.ts';
import type { OfferedParameter } from './ParameterFields.tsx';

/** What the server knows about models for a choice. */
export interface KnownModels {
  /** Providers that the server allows. Undefined while they load. */
  readonly providers: readonly ModelProvider[] | undefined;
  readonly customProviders: readonly CustomProvider[];
  /** Names of known models of the provider. Any other name may be typed. */
  readonly names: readonly string[];
  /** Whether the server has a key of the provider. Undefined while it is not known. */
  readonly hasServerKey: boolean | undefined;
  readonly parameters: readonly OfferedParameter[];
}

interface CustomProvider {
  readonly id: string;
  readonly name: string;
  readonly provider: ModelProvider;
  readonly modelNames: readonly string[];
}

const NOTHING = {};
const readCustom = ({ generativeModelCustomProviders }: CustomModelProvidersData) => generativeModelCustomProviders;

export function useCustomProviders(): readonly CustomProvider[] {
  const { items } = useAllPages(customModelProviders, readCustom);
  return useMemo(
    () =>
      (items ?? []).map(({ id, name, sdk, modelNames }) => ({
        ...{ id, name, modelNames },
        provider: PROVIDER_OF_SDK[sdk],
      })),
    [items],
  );
}

export function useModels({ provider, customProviderId, name, api }: ModelChoice): KnownModels {
  const { data: providers } = useQuery(modelProviders, NOTHING);
  const customProviders = useCustomProviders();
  const { data: models } = useQuery(modelNames, { input: { providerKey: provider } });
  // The parameters depend on the name, which changes with each key.
  const modelName = useDeferredValue(name);
  const { data: offered } = useQuery(modelParameters, {
    input: { providerKey: provider, modelName, openaiApiType: api },
  });
  return useMemo(() => {
    const chosen = customProviders.find(({ id }) => id === customProviderId);
    return {
      providers: providers?.modelProviders.map(({ key }) => key),
      customProviders,
      names:
        chosen && chosen.modelNames.length > 0
          ? chosen.modelNames
          : (models?.playgroundModels ?? []).map((each) => each.name),
      hasServerKey: providers?.modelProviders.find(({ key }) => key === provider)?.credentialsSet,
      parameters: (offered?.modelInvocationParameters ?? []).flatMap((each) =>
        'invocationName' in each ? [toOffer(each)] : [],
      ),
    };
  }, [providers, customProviders, models, offered, provider, customProviderId]);
}

const PROVIDER_OF_SDK = {
  OPENAI: 'OPENAI',
  AZURE_OPENAI: 'AZURE_OPENAI',
  ANTHROPIC: 'ANTHROPIC',
  AWS_BEDROCK: 'AWS',
  GOOGLE_GENAI: 'GOOGLE',
} as const satisfies Record<string, ModelProvider>;

const TYPES = {
  IntInvocationParameter: 'integer',
  FloatInvocationParameter: 'number',
  BoundedFloatInvocationParameter: 'number',
  StringInvocationParameter: 'string',
  JSONInvocationParameter: 'json',
  StringListInvocationParameter: 'list',
  BooleanInvocationParameter: 'boolean',
} as const satisfies Record<string, OfferedParameter['type']>;

interface ReadParameter {
  readonly __typename: string;
  readonly invocationName: string;
  readonly label: string;
  readonly required: boolean;
  readonly minValue?: number;
  readonly maxValue?: number;
}

const toOffer = ({
  __typename,
  invocationName,
  label,
  required,
  minValue,
  maxValue,
}: ReadParameter): OfferedParameter => ({
  name: invocationName,
  label,
  isRequired: required,
  type: TYPES[__typename as keyof typeof TYPES] ?? 'json',
  ...(minValue !== undefined && { min: minValue }),
  ...(maxValue !== undefined && { max: maxValue }),
});
