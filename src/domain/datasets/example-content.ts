import { toExactJsonText } from '../../base/exact-json.ts';
import type { HashedContent } from '../../model/dataset.ts';
import { contentHash, type ExampleObjects } from './content-hash.ts';

/** Content as it is stored. */
export function toExampleContent(objects: ExampleObjects): HashedContent {
  const input = toExactJsonText(objects.input);
  const output = toExactJsonText(objects.output);
  const metadata = toExactJsonText(objects.metadata);
  return { input, output, metadata, hash: contentHash(objects, { input, output, metadata }) };
}
