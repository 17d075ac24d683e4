import { beginExactJsonText, type ExactJson, toExactJsonText } from '../../base/exact-json.ts';
import { VALIDATION_INPUT_CHARS_MAX } from '../../model/limits/reads.ts';
import type { ValidationIssue } from './validation.ts';

/** JSON list of all issues, for the `detail` of a 422. */
export function toIssueListText(issues: readonly ValidationIssue[]): string {
  const items = issues.map(
    ({ type, loc, msg, input, ctx }) =>
      `{"type":${JSON.stringify(type)},"loc":${JSON.stringify(loc)},"msg":${JSON.stringify(msg)},` +
      `"input":${toShortJsonText(input)}${ctx ? `,"ctx":${toExactJsonText(ctx)}` : ''}}`,
  );
  return `[${items.join(',')}]`;
}

/** The received value, or the beginning of its text when it is long. */
function toShortJsonText(input: ExactJson): string {
  const text = beginExactJsonText(input, VALIDATION_INPUT_CHARS_MAX);
  return text.length <= VALIDATION_INPUT_CHARS_MAX
    ? text
    : JSON.stringify(`${text.slice(0, VALIDATION_INPUT_CHARS_MAX)}…`);
}
