import type { HashedContent } from '../../model/dataset.ts';
import { toCopyBytes, toCopyText } from '../database/copy-rows.ts';

/** Columns of `toContentFields`. */
export const CONTENT_COLUMNS = 'input, output, metadata, content_hash';

/** The content of an example as fields of `copyRows`. */
export const toContentFields = ({ input, output, metadata, hash }: HashedContent): string =>
  `${toCopyText(input)}\t${toCopyText(output)}\t${toCopyText(metadata)}\t${toCopyBytes(hash)}`;
