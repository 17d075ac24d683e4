import { useState } from 'react';
import type { SideLabels } from '../../../components/diff/sides.ts';
import { Card } from '../../../components/values/Card.tsx';
import { formatCount } from '../../../format/numbers.ts';
import type { PromptDifferencesData } from '../generated/prompt.ts';
import '../../../components/diff/diff.css';

type Difference = PromptDifferencesData['comparePromptVersions'][number];

interface DifferenceTableProps {
  readonly title: string;
  readonly differences: readonly Difference[];
  readonly labels: SideLabels;
}

const ROW_COUNT = 200;
const CHARS_MAX = 2_000;

/** Differences that the server found, by JSON path. */
export function DifferenceTable({ title, differences, labels }: DifferenceTableProps) {
  const [count, setCount] = useState(ROW_COUNT);
  return (
    <Card title={title}>
      <table className="diff json-diff">
        <thead>
          <tr>
            <th scope="col">Path</th>
            <th scope="col">{labels.left}</th>
            <th scope="col">{labels.right}</th>
          </tr>
        </thead>
        <tbody>
          {differences.slice(0, count).map(({ path, kind, before, after }) => (
            <tr key={`${kind} ${path}`}>
              <th scope="row">{path}</th>
              <td>{kind === 'ADDED' ? <span className="muted">none</span> : <del>{textOf(before)}</del>}</td>
              <td>{kind === 'REMOVED' ? <span className="muted">none</span> : <ins>{textOf(after)}</ins>}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {differences.length > count && (
        <button type="button" className="button small" onClick={() => setCount(count * 4)}>
          {formatCount(differences.length - count)} more
        </button>
      )}
    </Card>
  );
}

function textOf(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 1);
  return text.length > CHARS_MAX ? `${text.slice(0, CHARS_MAX)}…` : text;
}
