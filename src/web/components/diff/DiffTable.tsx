import { useState } from 'react';
import { formatCount } from '../../format/numbers.ts';
import type { ValueDiff } from './diff-json.ts';
import type { SideLabels } from './sides.ts';
import './diff.css';

interface DiffTableProps {
  readonly diffs: readonly ValueDiff[];
  readonly labels: SideLabels;
}

/** Rows at first. Each click shows four times as many. */
const ROW_COUNT = 200;
/** Characters of a value. `TextDiff` shows long texts. */
const CHARS_MAX = 2_000;

/** Values of two sides by path. */
export function DiffTable({ diffs, labels }: DiffTableProps) {
  const [count, setCount] = useState(ROW_COUNT);
  return (
    <>
      <table className="diff json-diff">
        <thead>
          <tr>
            <th scope="col">Path</th>
            <th scope="col" dir="auto">
              {labels.left}
            </th>
            <th scope="col" dir="auto">
              {labels.right}
            </th>
          </tr>
        </thead>
        <tbody>
          {diffs.slice(0, count).map((each, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two differences may have the same path
            <Row key={index} diff={each} />
          ))}
        </tbody>
      </table>
      {diffs.length > count && (
        <button type="button" className="button small" onClick={() => setCount(count * 4)}>
          {formatCount(diffs.length - count)} more
        </button>
      )}
    </>
  );
}

function Row({ diff: { path, left, right } }: { readonly diff: ValueDiff }) {
  const isSame = left === right;
  const cell = (value: string | undefined, Mark: 'del' | 'ins') => {
    if (value === undefined) return <span className="muted">none</span>;
    const text = value.length > CHARS_MAX ? `${value.slice(0, CHARS_MAX)}…` : value;
    return isSame ? text : <Mark>{text}</Mark>;
  };
  return (
    <tr>
      <th scope="row">{path}</th>
      <td>{cell(left, 'del')}</td>
      <td>{cell(right, 'ins')}</td>
    </tr>
  );
}
