import type { PageArguments } from '../arguments.ts';
import { offsetConnection } from '../connections.ts';
import { modelRef, type Resolvers } from '../resolvers.ts';
import { compareModels } from './model.ts';

export const modelQueries: Resolvers = {
  async generativeModels(_source: unknown, args: PageArguments, { domain, loaders, items }) {
    const models = (await domain.models.list()).sort(compareModels);
    const toNode = (model: (typeof models)[number]) => {
      loaders.models.prime(model.rowId, model);
      return modelRef(model.rowId);
    };
    return offsetConnection(models, args, toNode, items);
  },
};
