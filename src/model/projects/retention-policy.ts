/** Rule for the traces that are deleted. A limit of 0 keeps all. */
export type RetentionRule =
  /** Deletes traces that start more than this number of days ago. Fractions are allowed. */
  | { readonly type: 'max_days'; readonly max_days: number }
  /** Deletes all traces except this number of newest ones by start time. */
  | { readonly type: 'max_count'; readonly max_count: number }
  /** Deletes traces to which either limit applies. */
  | { readonly type: 'max_days_or_count'; readonly max_days: number; readonly max_count: number };

export interface RetentionPolicyFields {
  readonly name: string;
  /** Times at which the policy is applied: see `parseCronHours`. */
  readonly cronExpression: string;
  readonly rule: RetentionRule;
}

export interface RetentionPolicy extends RetentionPolicyFields {
  readonly rowId: number;
}

/** Editable fields. An undefined field keeps its value. */
export interface RetentionPolicyChanges {
  readonly name?: string | undefined;
  readonly cronExpression?: string | undefined;
  readonly rule?: RetentionRule | undefined;
  readonly addedProjectIds?: readonly number[];
  /** Projects that return to the default policy. */
  readonly removedProjectIds?: readonly number[];
}

/** The policy of projects without their own policy. */
export const DEFAULT_RETENTION_POLICY_ROW_ID = 0;
export const DEFAULT_RETENTION_CRON = '0 0 * * 0';
