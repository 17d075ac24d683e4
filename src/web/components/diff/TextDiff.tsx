import { useMemo, useState } from 'react';
import { formatCount } from '../../format/numbers.ts';
import { Card } from '../values/Card.tsx';
import { diffTexts, type TextPart } from './diff-text.ts';
import { SIDE_LABELS, type SideLabels } from './sides.ts';
import './diff.css';

interface TextDiffProps {
  readonly title: string;
  /** Undefined if that side does not exist. */
  readonly left: string | undefined;
  readonly right: string | undefined;
  /** Names of the sides. Default: A and B. */
  readonly labels?: SideLabels;
}

/** Characters that are compared at first. The rest is compared on demand. */
const CHARS_AT_FIRST = 20_000;

/** Two texts side by side with their differences marked. */
export function TextDiff({ title, left, right, labels = SIDE_LABELS }: TextDiffProps) {
  const [isWhole, setWhole] = useState(false);
  const chars = isWhole ? undefined : CHARS_AT_FIRST;
  const parts = useMemo(
    () => diffTexts((left ?? '').slice(0, chars), (right ?? '').slice(0, chars)),
    [left, right, chars],
  );
  const rest = Math.max(left?.length ?? 0, right?.length ?? 0) - CHARS_AT_FIRST;
  if (!left && !right) return null;
  const isSame = left === right;
  return (
    <Card title={isSame ? `${title} (unchanged)` : title} isCollapsedAtFirst={isSame}>
      <div className="diff text-diff">
        {left !== undefined && <Side label={labels.left} parts={parts} of="left" />}
        {right !== undefined && <Side label={labels.right} parts={parts} of="right" />}
      </div>
      {rest > 0 && !isWhole && (
        <button type="button" className="button small" onClick={() => setWhole(true)}>
          Show {formatCount(rest)} more characters
        </button>
      )}
    </Card>
  );
}

interface SideProps {
  readonly label: string;
  readonly parts: readonly TextPart[];
  readonly of: 'left' | 'right';
}

function Side({ label, parts, of }: SideProps) {
  const Mark = of === 'left' ? 'del' : 'ins';
  return (
    <div className="text-value">
      <span className={`side-mark of-${of}`} dir="auto">
        {label}
      </span>
      {parts.map((part, index) =>
        part.of === 'both' ? (
          part.text
        ) : part.of === of ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: a part is identified by its position
          <Mark key={index}>{part.text}</Mark>
        ) : null,
      )}
      {!parts.some((part) => part.of !== (of === 'left' ? 'right' : 'left')) && <span className="muted">Empty</span>}
    </div>
  );
}
