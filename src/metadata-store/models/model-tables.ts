import type { ColumnType, Generated, GeneratedAlways } from 'kysely';
import type { ProviderSdk } from '../../model/models/custom-provider.ts';

export interface GenerativeModelTable {
  readonly id: GeneratedAlways<number>;
  readonly name: string;
  /** Empty: any. */
  readonly provider: string;
  readonly name_pattern: string;
  readonly is_built_in: boolean;
  readonly start_time: Date | null;
  readonly created_at: Generated<Date>;
  readonly updated_at: Generated<Date>;
  readonly deleted_at: Generated<Date | null>;
}

/** A price above a threshold, as it is stored. Another customization lacks its fields, and is kept. */
export interface PriceCustomization {
  readonly type: string;
  readonly key: string;
  readonly threshold: number;
  readonly new_rate: number;
}

export interface TokenPriceTable {
  readonly id: GeneratedAlways<number>;
  readonly model_id: number;
  readonly token_type: string;
  readonly is_prompt: boolean;
  /** US dollars for one token. */
  readonly base_rate: number;
  readonly customization: ColumnType<Partial<PriceCustomization> | null, string | null, string | null>;
}

export interface CostRecomputationTable {
  readonly id: GeneratedAlways<number>;
  readonly project_id: number | null;
  readonly next_span_row_id: number;
  readonly last_span_row_id: number | null;
  readonly created_at: Generated<Date>;
  readonly ended_at: Generated<Date | null>;
}

export interface CustomProviderTable {
  readonly id: GeneratedAlways<number>;
  readonly name: string;
  readonly description: string | null;
  readonly provider: string;
  readonly sdk: ProviderSdk;
  /** Sealed. */
  readonly config: Buffer;
  readonly created_at: Generated<Date>;
  readonly updated_at: Generated<Date>;
  /** The author. Null without sign-in, and after the user was deleted. */
  readonly user_id: Generated<number | null>;
}
