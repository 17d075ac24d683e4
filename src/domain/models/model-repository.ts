import type { GenerativeModel, NewGenerativeModel } from '../../model/models/generative-model.ts';

/** Models that have prices. */
export interface ModelRepository {
  /** Models that are not deleted. */
  list(): Promise<GenerativeModel[]>;
  /** Includes deleted models. A row id that no model has is absent. */
  findByRowIds(rowIds: readonly number[]): Promise<Map<number, GenerativeModel>>;
  /** @throws {SpandrelError} `MODEL_NAME_TAKEN` */
  create(model: NewGenerativeModel): Promise<GenerativeModel>;
  /**
   * Undefined when no user has created a model with this row id.
   *
   * @throws {SpandrelError} `MODEL_NAME_TAKEN`
   */
  update(rowId: number, model: NewGenerativeModel): Promise<GenerativeModel | undefined>;
  delete(rowId: number): Promise<boolean>;
  /** Resolves when new spans are priced by the stored prices. */
  publish(): Promise<void>;
}
