import { bindToDatabase } from '../database/bind-to-database.ts';
import type { Db } from '../database/database.ts';
import {
  advanceRecomputation,
  countOpenRecomputations,
  createRecomputation,
  findOpenRecomputation,
  findRecomputation,
} from './cost-recomputations.ts';
import { createModel, deleteModel, findModelsByRowIds, listModels, syncBuiltInModels, updateModel } from './models.ts';

/** The functions of models with prices, their database given. */
export const modelRows = (db: Db) =>
  bindToDatabase(db, {
    list: listModels,
    findByRowIds: findModelsByRowIds,
    syncBuiltIn: syncBuiltInModels,
    create: createModel,
    update: updateModel,
    delete: deleteModel,
  });

/** The functions of wishes to compute costs anew, their database given. */
export const recomputationRows = (db: Db) =>
  bindToDatabase(db, {
    create: createRecomputation,
    find: findRecomputation,
    findOpen: findOpenRecomputation,
    countOpen: countOpenRecomputations,
    advance: advanceRecomputation,
  });
