import type { AnnotationConfig, NewAnnotationConfig } from '../../model/annotations/annotation-config.ts';
import type { Page } from '../../model/page.ts';

/** Annotation configs and the projects that they are assigned to. Configs are checked before they arrive here. */
export interface AnnotationConfigRepository {
  /** Highest row id first. With a project, only the configs that are assigned to it. */
  list(query: AnnotationConfigQuery): Promise<Page<AnnotationConfig>>;
  /** All configs by name. */
  listByName(): Promise<AnnotationConfig[]>;
  find(ref: AnnotationConfigRef): Promise<AnnotationConfig | undefined>;
  /** Configs of each project by name. A project without configs is absent. */
  findOfProjects(projectIds: readonly number[]): Promise<Map<number, AnnotationConfig[]>>;
  /** @throws {SpandrelError} `ANNOTATION_CONFIG_NAME_TAKEN` */
  create(config: NewAnnotationConfig): Promise<AnnotationConfig>;
  /**
   * Undefined when there is no such config.
   *
   * @throws {SpandrelError} `ANNOTATION_CONFIG_NAME_TAKEN`
   */
  replace(rowId: number, config: NewAnnotationConfig): Promise<AnnotationConfig | undefined>;
  /** Deletes all of them in the order of the row ids, or returns undefined when one does not exist. */
  delete(rowIds: readonly number[]): Promise<AnnotationConfig[] | undefined>;
  /**
   * Assigned pairs stay assigned. With `isStrict`, one such pair prevents all assignments. Undefined when a project or
   * config does not exist.
   */
  assign(
    assignments: readonly ConfigAssignment[],
    isStrict: boolean,
  ): Promise<'assigned' | 'assignedBefore' | undefined>;
  /** Returns the number of removed assignments. With `isStrict`, undefined and no change when one does not exist. */
  unassign(assignments: readonly ConfigAssignment[], isStrict: boolean): Promise<number | undefined>;
  /** Assigns exactly these configs to a project. Undefined, and no change, when one does not exist. */
  setOfProject(projectId: number, rowIds: readonly number[]): Promise<AnnotationConfig[] | undefined>;
}

export type AnnotationConfigRef = { readonly rowId: number } | { readonly name: string };

export interface AnnotationConfigQuery {
  readonly limit: number;
  readonly fromRowId?: number;
  readonly projectId?: number;
}

export interface ConfigAssignment {
  readonly projectId: number;
  readonly configRowId: number;
}
