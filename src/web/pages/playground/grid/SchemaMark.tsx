import { useMemo } from 'react';
import type { Json } from '../../../../semconv/read-open-inference.ts';
import type { Cell } from '../run/cell.ts';
import { checkOutput } from '../run/check-schema.ts';

/** Longer outputs are checked in the opened cell alone. */
const CHARS_MAX = 50_000;

/** Whether an output matches the response format of its variant. */
export function SchemaMark({ cell, schema }: { readonly cell: Cell; readonly schema: Json | undefined }) {
  const { text, status } = cell;
  const isChecked = schema !== undefined && status === 'done' && text !== '' && text.length <= CHARS_MAX;
  const verdict = useMemo(() => (isChecked ? checkOutput(text, schema) : undefined), [isChecked, text, schema]);
  if (!verdict) return null;
  if (verdict.type === 'notJson') return <span className="error-text">not JSON</span>;
  if (verdict.type === 'invalid') {
    return (
      <span className="error-text" title={verdict.problems.join('\n')}>
        {verdict.problems.length === 1 ? 'schema: 1 problem' : `schema: ${verdict.problems.length} problems`}
      </span>
    );
  }
  const { unchecked } = verdict;
  return (
    <span
      className="schema-ok"
      title={
        unchecked.length === 0
          ? 'The output matches the response format'
          : `The output matches the response format. Not checked here: ${unchecked.join(', ')}`
      }
    >
      matches schema
    </span>
  );
}
