import type {
  CustomProvider,
  CustomProviderChanges,
  NewCustomProvider,
  ProviderSdk,
} from '../../model/models/custom-provider.ts';
import type { Page } from '../../model/page.ts';

export interface CustomProviderRepository {
  /** Highest row id first. `beforeRowId` is where the previous page ended. */
  list(query: { readonly limit: number; readonly beforeRowId?: number }): Promise<Page<CustomProvider>>;
  findByRowIds(rowIds: readonly number[]): Promise<Map<number, CustomProvider>>;
  /** Names of the models that versions of prompts use, in order. A provider without any is absent. */
  modelNamesOf(rowIds: readonly number[]): Promise<Map<number, string[]>>;
  /** @throws {SpandrelError} `PROVIDER_NAME_TAKEN` */
  create(provider: NewCustomProvider): Promise<CustomProvider>;
  /**
   * Undefined when there is no such provider, or its SDK is not one of `sdks`.
   *
   * @throws {SpandrelError} `PROVIDER_NAME_TAKEN`
   */
  update(
    rowId: number,
    changes: CustomProviderChanges,
    sdks: readonly ProviderSdk[],
  ): Promise<CustomProvider | undefined>;
  /** Replaces an encrypted config by another encryption of it. False when the config has changed since it was read. */
  reseal(rowId: number, sealed: { readonly from: Buffer; readonly to: Buffer }): Promise<boolean>;
  delete(rowId: number): Promise<void>;
}
