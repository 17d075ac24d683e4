import { useMemo, useState } from 'react';
import { Card } from '../../components/values/Card.tsx';
import { formatCount } from '../../format/numbers.ts';
import { diffTexts, type TextPart } from './diff-text.ts';

interface TextDiffProps {
  readonly title: string;
  /** Undefined if that side does not exist. */
  readonly left: string | undefined;
  readonly right: string | undefined;
}

/** Characters that are compared at first. The rest is compared on demand. */
const CHARS_AT_FIRST = 20_000;

/** Two texts side by side with their differences marked. */
export function TextDiff({ title, left, right }: TextDiffProps) {
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
      <div className="text-diff">
        {left !== undefined && <Side label="A" parts={parts} of="left" />}
        {right !== undefined && <Side label="B" parts={parts} of="right" />}
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
      <span className={`compare-letter of-${label}`}>{label}</span>
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
