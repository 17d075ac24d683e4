import type {
  RetentionPolicy,
  RetentionPolicyChanges,
  RetentionPolicyFields,
} from '../../model/projects/retention-policy.ts';

export interface RetentionPolicyRepository {
  /** All policies by row id. */
  list(): Promise<RetentionPolicy[]>;
  findByRowIds(rowIds: readonly number[]): Promise<Map<number, RetentionPolicy>>;
  /** Row ids of the projects under a policy. The default policy has those without a policy of their own. */
  projectsOf(rowId: number): Promise<number[]>;
  create(fields: RetentionPolicyFields, projectIds: readonly number[]): Promise<RetentionPolicy>;
  update(rowId: number, changes: RetentionPolicyChanges): Promise<RetentionPolicy | undefined>;
  delete(rowId: number): Promise<RetentionPolicy | undefined>;
  /** Applies a policy that is due and records when. False when it is not due, or another server applies it. */
  sweep(
    rowId: number,
    now: Date,
    isDue: (policy: RetentionPolicy, sweptAt: Date) => boolean,
    apply: (policy: RetentionPolicy, projectIds: readonly number[]) => Promise<void>,
  ): Promise<boolean>;
}
