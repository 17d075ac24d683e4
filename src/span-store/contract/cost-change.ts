import { createHash } from 'node:crypto';

/** What changes how spans are priced, or what is stored of it; a record of the journal each. */
export type CostChange =
  /** The prices of spans that come from here on: JSON text of a list of `PricedModel`. */
  | { readonly what: 'prices'; readonly models: string }
  /** Costs of stored spans by the prices of now; row ids inclusive, `projectId` null: of all projects. */
  | {
      readonly what: 'recompute';
      readonly projectId: number | null;
      readonly firstRowId: number;
      readonly lastRowId: number;
    };

/** What tells one text of prices from another. */
export const digestOfPrices = (models: string): string => createHash('sha256').update(models).digest('hex');
