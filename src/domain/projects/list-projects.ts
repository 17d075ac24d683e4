import { PROJECT_LIST_COUNT_MAX } from '../../model/limits/graphql.ts';
import { PAGE_ROW_COUNT_MAX } from '../../model/limits/reads.ts';
import type { Project } from '../../model/projects/project.ts';
import { measure } from '../../span-store/contract/aggregate.ts';
import type { ReadOptions } from '../../span-store/contract/read-options.ts';
import type { Ports } from '../ports.ts';

export interface ProjectListQuery {
  /** Ignores case. */
  readonly nameContains?: string | undefined;
  /** `endTime`: by the start of the latest trace. Absent: by row id. */
  readonly sort?: { readonly col: 'name' | 'endTime'; readonly dir: 'asc' | 'desc' } | undefined;
}

/** All projects but those of experiments and evaluators, sorted. */
export async function listProjects(
  { projects, spans }: Pick<Ports, 'projects' | 'spans'>,
  { nameContains, sort }: ProjectListQuery,
  options?: ReadOptions,
): Promise<Project[]> {
  const found: Project[] = [];
  let fromRowId: number | undefined;
  do {
    const page = await projects.list({
      limit: PAGE_ROW_COUNT_MAX,
      isOutsideExperiments: true,
      isOutsideEvaluators: true,
      ...(fromRowId !== undefined && { fromRowId }),
      ...(nameContains && { nameContains }),
    });
    found.push(...page.items);
    fromRowId = page.nextRowId;
  } while (fromRowId !== undefined && found.length < PROJECT_LIST_COUNT_MAX);
  if (!sort) return found.reverse();
  const sign = sort.dir === 'asc' ? 1 : -1;
  if (sort.col === 'name') return found.sort((a, b) => sign * compare(a.name, b.name) || b.rowId - a.rowId);
  const projectIds = found.map(({ rowId }) => rowId);
  const rows = { grain: 'traces', projects: { only: projectIds }, groupBy: ['projectId'] } as const;
  const latest = await spans.aggregate({ ...rows, measures: { start: measure.latest('startTime') } }, options);
  const starts = new Map(latest.map(({ projectId, start }) => [projectId, start ?? undefined]));
  const lastStart = ({ rowId }: Project) => starts.get(rowId);
  // Projects without traces come last in both directions.
  return found.sort((a, b) => {
    const [x, y] = [lastStart(a), lastStart(b)];
    if (x === undefined || y === undefined)
      return Number(x === undefined) - Number(y === undefined) || b.rowId - a.rowId;
    return sign * compare(x, y) || b.rowId - a.rowId;
  });
}

const compare = <Value extends string | bigint>(a: Value, b: Value): number => (a < b ? -1 : a > b ? 1 : 0);
