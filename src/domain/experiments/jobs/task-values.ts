import { type ExactJson, type ExactJsonObject, isJsonObject, newJsonObject } from '../../../base/exact-json.ts';
import { SpandrelError } from '../../../model/errors.ts';
import type { SnapshotExample } from '../../../model/experiment.ts';
import { readStoredObject } from '../../datasets/json-object.ts';
import { valueAt } from '../../prompts/value-at.ts';

/** What a task and its evaluators see of an example. */
export interface ExampleValues {
  readonly input: ExactJson;
  readonly reference: ExactJson;
  readonly metadata: ExactJson;
}

export const readExample = ({ input, output, metadata }: SnapshotExample): ExampleValues => ({
  input: readStoredObject(input),
  reference: readStoredObject(output),
  metadata: readStoredObject(metadata),
});

/**
 * Variables of the template: the object at a path into the values, or all of them without a path.
 *
 * @throws {SpandrelError} `PROMPT_INVALID` when there is no object at the path
 */
export function selectVariables(values: ExampleValues, path: string): ExactJsonObject {
  const all: ExactJsonObject = Object.assign(newJsonObject(), values);
  if (path === '') return all;
  const found = valueAt(all, path.split('.'));
  if (isJsonObject(found)) return found;
  const what = found === undefined ? 'nothing' : 'no object';
  throw new SpandrelError('PROMPT_INVALID', `The example has ${what} at the path of the variables, '${path}'`);
}
