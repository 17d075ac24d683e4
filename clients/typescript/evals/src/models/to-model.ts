import { ArgumentError, describeType } from '../errors.ts';
import { type AiSdkModel, fromAiSdkModel, isAiSdkModel } from './ai-sdk-model.ts';
import { fromFunction, type ModelFunction } from './function-model.ts';
import type { Model } from './model.ts';

/** What is accepted as a model: one of this package (`openModel`), a language model of the AI SDK, or a function. */
export type ModelInput = Model | AiSdkModel | ModelFunction;

/** One model for each object, so that limits and what works are known over all evaluators. */
const models = new WeakMap<object, Model>();

/** @throws {ArgumentError} for anything else */
export function toModel(input: ModelInput): Model {
  if (isModel(input)) return input;
  if (typeof input !== 'function' && !isAiSdkModel(input)) {
    throw new ArgumentError(
      `A model is openModel({ provider, model }), a language model of the AI SDK or a function, and not ${typeof input === 'string' ? `the text "${input}"` : describeType(input)}.`,
    );
  }
  let model = models.get(input);
  if (!model) {
    model = typeof input === 'function' ? fromFunction(input) : fromAiSdkModel(input);
    models.set(input, model);
  }
  return model;
}

const isModel = (input: unknown): input is Model =>
  typeof input === 'object' &&
  input !== null &&
  'answerForms' in input &&
  typeof (input as Partial<Model>).call === 'function';
