import { SpandrelError } from '../../src/model/errors.ts';
import type { CostRecomputation } from '../../src/model/models/cost-recomputation.ts';
import type { GenerativeModel, NewGenerativeModel } from '../../src/model/models/generative-model.ts';
import type { RecomputationRepository } from '../../src/domain/costs/recomputation-repository.ts';
import type { ModelRepository } from '../../src/domain/models/model-repository.ts';

/** Models in memory. `onPublish` gets all of them. */
export function openFakeModels(
  shipped: readonly NewGenerativeModel[] = [],
  onPublish: (models: readonly GenerativeModel[]) => Promise<void> = async () => {},
): ModelRepository {
  const known = new Map<number, GenerativeModel>();
  const deleted = new Set<number>();
  const put = (rowId: number, model: NewGenerativeModel, isBuiltIn: boolean): GenerativeModel => {
    const stored = { ...model, rowId, isBuiltIn, createdAt: new Date(0), updatedAt: new Date(0) };
    known.set(rowId, stored);
    return stored;
  };
  const list = () => [...known.values()].filter(({ rowId }) => !deleted.has(rowId));
  for (const model of shipped) put(known.size + 1, model, true);
  return {
    list: async () => list(),
    findByRowIds: async (rowIds) => new Map([...known].filter(([rowId]) => rowIds.includes(rowId))),
    async create(model) {
      if (list().some(({ name, isBuiltIn }) => name === model.name && !isBuiltIn)) {
        throw new SpandrelError('MODEL_NAME_TAKEN', `Model with name '${model.name}' already exists`);
      }
      return put(known.size + 1, model, false);
    },
    update: async (rowId, model) => (known.has(rowId) ? put(rowId, model, false) : undefined),
    delete: async (rowId) => known.has(rowId) && !deleted.has(rowId) && Boolean(deleted.add(rowId)),
    publish: () => onPublish(list()),
  };
}

/** Wishes that nobody fulfils. */
export function openFakeRecomputations(): RecomputationRepository {
  const rows: CostRecomputation[] = [];
  return {
    async create(projectId) {
      const row = { rowId: rows.length + 1, projectId, nextSpanRowId: 1, lastSpanRowId: null };
      rows.push({ ...row, createdAt: new Date(0), endedAt: null });
      return rows.at(-1)!;
    },
    find: async (rowId) => rows.find((row) => row.rowId === rowId),
    countOpen: async () => rows.length,
  };
}
