import { IDENTIFIER_CHARS_MAX } from './limits/datasets.ts';

/** Pattern of names that are used in paths: prompts, tags and evaluators. */
export const IDENTIFIER_PATTERN = '^[a-z0-9]([_a-z0-9-]*[a-z0-9])?$';

const PATTERN = new RegExp(IDENTIFIER_PATTERN);

export const isIdentifier = (text: string): boolean => text.length <= IDENTIFIER_CHARS_MAX && PATTERN.test(text);
