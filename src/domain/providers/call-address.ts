import { ownValue } from '../../base/own-value.ts';
import { MODEL_VENDORS } from '../../model/models/model-vendors.ts';
import type { ModelProvider } from '../../model/prompts/prompt-parameters.ts';
import { checkAddress } from './check-provider-config.ts';
import type { ModelSettings } from './model-settings.ts';

/** Where a call goes, and who has chosen that. */
export interface CallAddress {
  /** Undefined when neither the request nor the environment names one, and the vendor has none of its own. */
  readonly url: string | undefined;
  /** Host name without a port. Empty without an address. */
  readonly host: string;
  /**
   * Whether only the caller has chosen the host. The vendor's own origin, and the origin that the operator has set, are not
   * the caller's choice, even if the request names them.
   */
  readonly isOfCaller: boolean;
  /** Whether it is the vendor's own origin, where a key is needed. */
  readonly isOfVendor: boolean;
}

/**
 * The address of a request, else that of the environment, else the vendor's.
 *
 * @throws {SpandrelError} `PROVIDER_INVALID`
 */
export function findAddress(
  { variables }: Pick<ModelSettings, 'variables'>,
  provider: ModelProvider,
  requested: string | undefined,
): CallAddress {
  const vendor = MODEL_VENDORS[provider];
  const configured = vendor.baseUrlVariable === null ? undefined : ownValue(variables, vendor.baseUrlVariable);
  const given = requested?.trim() || undefined;
  const url = given ?? configured ?? vendor.baseUrl ?? undefined;
  if (url === undefined) return { url, host: '', isOfCaller: false, isOfVendor: true };
  const { origin, hostname } = checkAddress(url);
  const isOfVendor = vendor.baseUrl !== null && new URL(vendor.baseUrl).origin === origin;
  const isConfigured = configured !== undefined && checkAddress(configured).origin === origin;
  return {
    url,
    host: hostname,
    isOfCaller: given !== undefined && !isOfVendor && !isConfigured,
    isOfVendor,
  };
}
