import { SpandrelError } from '../../model/errors.ts';
import { CUSTOM_MODEL_COUNT_MAX } from '../../model/limits/models.ts';
import type { GenerativeModel, NewGenerativeModel } from '../../model/models/generative-model.ts';
import type { Ports } from '../ports.ts';
import { checkModel } from './check-model.ts';

// Spans that arrive after an operation are priced by its prices.

/** @throws {SpandrelError} `MODEL_INVALID`, `MODEL_NAME_TAKEN` */
export async function createModel(
  { models }: Pick<Ports, 'models'>,
  model: NewGenerativeModel,
): Promise<GenerativeModel> {
  const checked = checkModel(model);
  const custom = (await models.list()).filter(({ isBuiltIn }) => !isBuiltIn);
  if (custom.length >= CUSTOM_MODEL_COUNT_MAX) {
    throw new SpandrelError('MODEL_INVALID', `There are ${CUSTOM_MODEL_COUNT_MAX} models, the maximum`);
  }
  return publishAfter(models, () => models.create(checked));
}

/**
 * Replaces all fields of a model.
 *
 * @throws {SpandrelError} `MODEL_INVALID`, `MODEL_NOT_FOUND`, `MODEL_BUILT_IN`, `MODEL_NAME_TAKEN`
 */
export async function updateModel(
  { models }: Pick<Ports, 'models'>,
  rowId: number,
  model: NewGenerativeModel,
): Promise<GenerativeModel> {
  await getCustomModel(models, rowId, 'Cannot update built-in model');
  const checked = checkModel(model);
  const updated = await publishAfter(models, () => models.update(rowId, checked));
  return updated ?? notFound(rowId);
}

/** @throws {SpandrelError} `MODEL_NOT_FOUND`, `MODEL_BUILT_IN` */
export async function deleteModel({ models }: Pick<Ports, 'models'>, rowId: number): Promise<GenerativeModel> {
  const model = await getCustomModel(models, rowId, 'Cannot delete built-in model');
  await publishAfter(models, () => models.delete(rowId));
  return model;
}

async function publishAfter<Result>(models: Ports['models'], change: () => Promise<Result>): Promise<Result> {
  const result = await change();
  await models.publish();
  return result;
}

async function getCustomModel(models: Ports['models'], rowId: number, rejection: string): Promise<GenerativeModel> {
  const model = (await models.list()).find((found) => found.rowId === rowId);
  if (!model) return notFound(rowId);
  if (model.isBuiltIn) throw new SpandrelError('MODEL_BUILT_IN', rejection);
  return model;
}

const notFound = (rowId: number): never => {
  throw new SpandrelError('MODEL_NOT_FOUND', `Model with id ${rowId} not found`);
};
