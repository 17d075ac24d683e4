import { useMemo, useState } from 'react';
import type { JsonObject } from '../../../semconv/read-open-inference.ts';
import { formatCount } from '../../format/numbers.ts';
import { Card } from '../values/Card.tsx';
import { DiffTable } from './DiffTable.tsx';
import { diffJson } from './diff-json.ts';
import { SIDE_LABELS, type SideLabels } from './sides.ts';

interface JsonDiffProps {
  /** Noun in the title, in the plural: Attributes. */
  readonly noun: string;
  readonly left: JsonObject;
  readonly right: JsonObject;
  /** Names of the sides. Default: A and B. */
  readonly labels?: SideLabels;
}

/** Values that differ, by path. Equal ones are shown on demand. */
export function JsonDiff({ noun, left, right, labels = SIDE_LABELS }: JsonDiffProps) {
  const all = useMemo(() => diffJson(left, right), [left, right]);
  const [isAll, setAll] = useState(false);
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
        <DiffTable diffs={shown} labels={labels} />
      )}
    </Card>
  );
}
