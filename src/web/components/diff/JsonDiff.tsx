import { useMemo, useState } from 'react';
import type { JsonObject } from '../../../semconv/read-open-inference.ts';
import { formatCount } from '../../format/numbers.ts';
import { Card } from '../values/Card.tsx';
import { diffJson, type ValueDiff } from './diff-json.ts';
import { SIDE_LABELS, type SideLabels } from './sides.ts';
import './diff.css';

interface JsonDiffProps {
  /** Noun in the title, in the plural: Attributes. */
  readonly noun: string;
  readonly left: JsonObject;
  readonly right: JsonObject;
  /** Names of the sides. Default: A and B. */
  readonly labels?: SideLabels;
}

const ROW_COUNT = 200;
const CHARS_MAX = 400;

/** Values that differ, by path. Equal ones are shown on demand. */
export function JsonDiff({ noun, left, right, labels = SIDE_LABELS }: JsonDiffProps) {
  const all = useMemo(() => diffJson(left, right), [left, right]);
  const [isAll, setAll] = useState(false);
  const [count, setCount] = useState(ROW_COUNT);
  const different = all.filter((each) => each.left !== each.right);
  const shown = isAll ? all : different;
  return (
    <Card
      title={`${noun}, ${formatCount(different.length)} of ${formatCount(all.length)} differ`}
      actions={
        <button type="button" className="button bare small" aria-pressed={isAll} onClick={() => setAll(!isAll)}>
          Show unchanged
        </button>
      }
    >
      {shown.length === 0 ? (
        <span className="muted">All values are equal.</span>
      ) : (
        <table className="diff json-diff">
          <thead>
            <tr>
              <th>Path</th>
              <th dir="auto">{labels.left}</th>
              <th dir="auto">{labels.right}</th>
            </tr>
          </thead>
          <tbody>
            {shown.slice(0, count).map((each) => (
              <Row key={each.path} diff={each} />
            ))}
          </tbody>
        </table>
      )}
      {shown.length > count && (
        <button type="button" className="button small" onClick={() => setCount(count * 4)}>
          {formatCount(shown.length - count)} more
        </button>
      )}
    </Card>
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
