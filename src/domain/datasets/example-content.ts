import { type ExactJsonObject, toExactJsonText } from '../../base/exact-json.ts';
import type { HashedContent } from '../../model/dataset.ts';
import { contentHash, type ExampleObjects } from './content-hash.ts';

/** Content as it is stored. */
export const toExampleContent = (objects: ExampleObjects): HashedContent => {
  const text = (object: ExactJsonObject) => toExactJsonText(object);
  const { input, output, metadata } = objects;
  return { input: text(input), output: text(output), metadata: text(metadata), hash: contentHash(objects) };
};
