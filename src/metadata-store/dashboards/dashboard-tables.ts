import type { Generated, GeneratedAlways } from 'kysely';

export interface DashboardTable {
  readonly id: GeneratedAlways<number>;
  readonly project_id: number;
  readonly name: string;
  readonly description: string;
  /** JSON text of the panels in the form of `version`. */
  readonly panels: string;
  readonly version: number;
  readonly revision: Generated<number>;
  /** Who saved it last. Null without sign-in, and after the user was deleted. */
  readonly user_id: number | null;
  readonly created_at: Generated<Date>;
  readonly updated_at: Generated<Date>;
}
