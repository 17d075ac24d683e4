import type { Page } from '../../model/page.ts';
import type { NewProject, Project, ProjectChanges } from '../../model/projects/project.ts';
import type { ProjectScope } from '../../model/projects/project-member.ts';

export interface ProjectRepository {
  /** Highest row id first. */
  list(query: ProjectQuery): Promise<Page<Project>>;
  find(ref: ProjectRef): Promise<Project | undefined>;
  /** A row id that no project has is absent. */
  findByRowIds(rowIds: readonly number[]): Promise<Map<number, Project>>;
  /** Projects that were created for the traces of experiments, with those that the caller cannot read. */
  findIdsOfExperiments(): Promise<number[]>;
  /** @throws {SpandrelError} `PROJECT_NAME_TAKEN` */
  create(project: NewProject): Promise<Project>;
  update(rowId: number, changes: ProjectChanges): Promise<Project | undefined>;
  /** Describes the evaluator of a dataset that stores its traces in the project. Undefined when none does. */
  findEvaluator(rowId: number): Promise<string | undefined>;
}

export type ProjectRef = { readonly rowId: number } | { readonly name: string };

export interface ProjectQuery {
  readonly limit: number;
  readonly fromRowId?: number;
  /** Ignores case. */
  readonly nameContains?: string;
  /** Leaves out the projects of experiments. */
  readonly isOutsideExperiments?: boolean;
  /** Leaves out the projects of evaluators of datasets. */
  readonly isOutsideEvaluators?: boolean;
  /** Absent: all. */
  readonly scope?: ProjectScope | undefined;
}
