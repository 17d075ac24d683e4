import { useMemo } from 'react';
import { diffTexts } from '../../../components/diff/diff-text.ts';
import type { Cell } from '../run/cell.ts';
import '../../../components/diff/diff.css';

/** Characters that are compared in a cell. The opened cell compares all. */
const CHARS_MAX = { tall: 8_000, short: 900 };

interface CellDiffProps {
  /** Output of the pinned variant. */
  readonly left: Cell;
  readonly right: Cell;
  readonly isTall: boolean;
}

/** Text and tool calls of an output, in the form in which two outputs are compared. */
export const comparedText = ({ text, toolCalls }: Pick<Cell, 'text' | 'toolCalls'>): string =>
  [text, ...toolCalls.map(({ name, arguments: given }) => `${name}(${given})`)]
    .filter((part) => part !== '')
    .join('\n');

/** Words that differ from the output of the pinned variant. */
export function CellDiff({ left, right, isTall }: CellDiffProps) {
  const max = isTall ? CHARS_MAX.tall : CHARS_MAX.short;
  const parts = useMemo(
    () => diffTexts(comparedText(left).slice(0, max), comparedText(right).slice(0, max)),
    [left, right, max],
  );
  if (parts.every(({ of }) => of === 'both')) return <span className="muted">Same as the pinned variant</span>;
  return (
    <div className="diff text-value" dir="auto">
      {parts.map((part, index) => {
        const Mark = part.of === 'left' ? 'del' : 'ins';
        // biome-ignore lint/suspicious/noArrayIndexKey: a part is identified by its position
        return part.of === 'both' ? part.text : <Mark key={index}>{part.text}</Mark>;
      })}
    </div>
  );
}
