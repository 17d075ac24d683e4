import type { SavedView, SavedViewFields } from '../../model/projects/saved-view.ts';

export interface SavedViewRepository {
  /** Lists the saved views of a project by name. */
  list(projectId: number): Promise<SavedView[]>;
  /** Replaces the view of the same name. Undefined when there is no such project. */
  save(projectId: number, view: SavedViewFields, userId: number | null): Promise<SavedView | undefined>;
  /** Project of a view. */
  findProjectId(rowId: number): Promise<number | undefined>;
  delete(rowId: number): Promise<SavedView | undefined>;
}
