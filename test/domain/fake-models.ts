import type { ModelRows } from '../../src/domain/domain.ts';
import { SpandrelError } from '../../src/model/errors.ts';
import type { GenerativeModel, NewGenerativeModel } from '../../src/model/generative-model.ts';

/** Models in memory. `onPublish` gets all of them. */
export function openFakeModels(
  shipped: readonly NewGenerativeModel[] = [],
  onPublish: (models: readonly GenerativeModel[]) => Promise<void> = async () => {},
): ModelRows {
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
