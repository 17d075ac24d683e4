/** Which traces of a project go. A limit of 0 keeps all. */
export type RetentionRule =
  /** Those that start more than so many days ago, which may be a fraction. */
  | { readonly type: 'max_days'; readonly max_days: number }
  /** All but so many, the newest by start time. */
  | { readonly type: 'max_count'; readonly max_count: number }
  /** Those that either limit takes. */
  | { readonly type: 'max_days_or_count'; readonly max_days: number; readonly max_count: number };

export interface RetentionPolicyFields {
  readonly name: string;
  /** When it is applied: see `parseCronHours`. */
  readonly cronExpression: string;
  readonly rule: RetentionRule;
}

export interface RetentionPolicy extends RetentionPolicyFields {
  readonly rowId: number;
}

/** Undefined stays as it is. */
export interface RetentionPolicyChanges {
  readonly name?: string | undefined;
  readonly cronExpression?: string | undefined;
  readonly rule?: RetentionRule | undefined;
  readonly addedProjectIds?: readonly number[];
  /** They get the default policy. */
  readonly removedProjectIds?: readonly number[];
}

/** The policy of projects that have none of their own. */
export const DEFAULT_RETENTION_POLICY_ROW_ID = 0;
export const DEFAULT_RETENTION_CRON = '0 0 * * 0';
