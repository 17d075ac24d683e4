import { authorOf } from '../../model/access/caller.ts';
import { SpandrelError } from '../../model/errors.ts';
import {
  SAVED_VIEW_COUNT_MAX,
  SAVED_VIEW_NAME_LENGTH_MAX,
  SAVED_VIEW_TEXT_LENGTH_MAX,
} from '../../model/limits/reads.ts';
import type { SavedView, SavedViewFields } from '../../model/projects/saved-view.ts';
import { RowError } from '../../model/row-error.ts';
import type { Ports } from '../ports.ts';
import { projectNotFound } from '../projects/get-project.ts';

type Parts = Pick<Ports, 'savedViews'>;

/**
 * Saves a view of a project. It replaces the view of the same name.
 *
 * @throws {SpandrelError} `PROJECT_NOT_FOUND`, `QUERY_INVALID`
 */
export async function saveView(
  { savedViews, caller }: Parts & Pick<Ports, 'caller'>,
  projectId: number,
  { name: text, ...rest }: SavedViewFields,
): Promise<SavedView> {
  const name = text.trim();
  if (name === '') reject('A view needs a name');
  if (name.length > SAVED_VIEW_NAME_LENGTH_MAX) reject(`A name has at most ${SAVED_VIEW_NAME_LENGTH_MAX} characters`);
  if (!TABS.has(rest.tab)) reject('A view must be a list of spans, traces or sessions');
  if (rest.search.length + rest.layout.length > SAVED_VIEW_TEXT_LENGTH_MAX) reject('The view is too long to be saved');
  const others = await savedViews.list(projectId);
  if (others.length >= SAVED_VIEW_COUNT_MAX && !others.some((view) => view.tab === rest.tab && view.name === name)) {
    reject(`A project has at most ${SAVED_VIEW_COUNT_MAX} saved views`);
  }
  const saved = await savedViews.save(projectId, { name, ...rest }, authorOf(caller));
  if (saved) return saved;
  throw projectNotFound(projectId);
}

const TABS: ReadonlySet<string> = new Set(['spans', 'traces', 'sessions']);

/** @throws {SpandrelError} `SAVED_VIEW_NOT_FOUND` */
export async function deleteSavedView({ savedViews }: Parts, rowId: number): Promise<SavedView> {
  const deleted = await savedViews.delete(rowId);
  if (deleted) return deleted;
  throw new RowError('SAVED_VIEW_NOT_FOUND', 'SavedView', [rowId], (id) => `SavedView with ID ${id} not found`);
}

const reject = (message: string): never => {
  throw new SpandrelError('QUERY_INVALID', message);
};
