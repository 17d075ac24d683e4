import { createHash } from 'node:crypto';

/** Changes the prices of later spans, or the stored costs of spans. Each is one record of the journal. */
export type CostChange =
  /** Prices of later spans: JSON text of a list of `PricedModel`. */
  | { readonly what: 'prices'; readonly models: string }
  /** Recomputes the costs of stored spans by the current prices. Row ids are inclusive; `projectId` null means all projects. */
  | {
      readonly what: 'recompute';
      readonly projectId: number | null;
      readonly firstRowId: number;
      readonly lastRowId: number;
    };

/** Identifies a text of prices. */
export const digestOfPrices = (models: string): string => createHash('sha256').update(models).digest('hex');
