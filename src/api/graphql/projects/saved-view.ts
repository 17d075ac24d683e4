import { SpandrelError } from '../../../model/errors.ts';
import type { SavedView, SavedViewFields } from '../../../model/projects/saved-view.ts';
import { rowIdOf, toGlobalId } from '../../contract/global-id.ts';
import type { GraphqlContext } from '../context.ts';
import { rowIdOfNode } from '../node.ts';
import type { NodeRef, Resolvers } from '../resolvers.ts';

export const viewsOfProject: Resolvers = {
  async savedViews({ rowId }: NodeRef, _args, { domain, items }: GraphqlContext) {
    const views = await domain.savedViews.list(rowId);
    items.take(views.length);
    return views.map(toObject);
  },
};

interface SaveInput extends SavedViewFields {
  readonly projectId: string;
}

export const savedViewMutations: Resolvers = {
  async saveView(_source, { input }: { readonly input: SaveInput }, context: GraphqlContext) {
    const { projectId, tab, name, search, layout } = input;
    return toObject(
      await context.domain.savedViews.save(rowIdOfNode('Project', projectId), { tab, name, search, layout }),
    );
  },
  async deleteSavedView(_source, { id }: { readonly id: string }, { domain }: GraphqlContext) {
    const rowId = rowIdOf('SavedView', id);
    if (rowId === undefined) throw new SpandrelError('QUERY_INVALID', 'This is not the ID of a saved view');
    return toObject(await domain.savedViews.delete(rowId));
  },
};

const toObject = ({ rowId, ...view }: SavedView) => ({ id: toGlobalId('SavedView', rowId), ...view });
