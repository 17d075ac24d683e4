import type { RowRange } from '../duckdb/row-range.ts';
import type { Parameters } from '../duckdb/sql.ts';

/** A filter that is compiled once per read and applied to any number of statements. */
export interface FilterPlan<Needs> {
  /**
   * Condition in which `$1`, `$2`, … are the values of `parameters`, and the names in `SCOPE` belong to the statement. It is
   * true for every row that the filter selects.
   */
  readonly sql: string;
  readonly parameters: Parameters;
  /** False when rows that meet the condition must also be evaluated in memory. */
  readonly isExact: boolean;
  readonly needs: Needs;
}

/** Placeholders of the scope in the text of a plan. */
export const SCOPE = { first: '$first', last: '$last', projectId: '$projectId' } as const;

/** The condition of a plan as part of a statement, whose values are added to `parameters`. */
export function applyPlan(
  plan: Pick<FilterPlan<unknown>, 'sql' | 'parameters'>,
  scope: { readonly projectId: number } & Partial<RowRange>,
  parameters: Parameters,
): string {
  const known = new Map<string, string>();
  return parameters.embed(plan.sql, plan.parameters).replace(/\$(first|last|projectId)\b/g, (_, name: string) => {
    const placeholder = known.get(name) ?? placeholderOf(name, scope, parameters);
    known.set(name, placeholder);
    return placeholder;
  });
}

function placeholderOf(
  name: string,
  { projectId, first = 0, last = 0 }: { readonly projectId: number } & Partial<RowRange>,
  parameters: Parameters,
): string {
  if (name === 'projectId') return parameters.integer(projectId);
  return parameters.bigint(name === 'first' ? first : last);
}
