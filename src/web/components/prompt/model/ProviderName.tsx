import type { ModelChoice } from '../variant/variant.ts';
import { providerLabel } from '../version-content.ts';
import { useCustomProviders } from './use-models.ts';

type Provider = Pick<ModelChoice, 'provider' | 'customProviderId'>;

/** Name of the provider that is called: a custom provider has a name of its own, whichever protocol it speaks. */
export function ProviderName({ provider, customProviderId }: Provider) {
  return customProviderId === null ? providerLabel(provider) : <CustomName id={customProviderId} />;
}

function CustomName({ id }: { readonly id: string }) {
  return useCustomProviders().find((each) => each.id === id)?.name ?? 'Custom provider';
}
