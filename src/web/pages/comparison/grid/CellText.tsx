import { useMemo } from 'react';
import { diffJson } from '../../../components/diff/diff-json.ts';
import { diffTexts, type TextPart } from '../../../components/diff/diff-text.ts';
import type { Content } from '../address.ts';
import type { CutText } from '../compared.ts';
import { toObjects, toPretty, toReadable } from './cell-text.ts';
import '../../../components/diff/diff.css';

interface CellTextProps {
  readonly of: CutText;
  readonly content: Content;
  /** Output of the baseline. Absent for the baseline, the input and the reference. */
  readonly base?: CutText | undefined;
}

/** Characters that fit into a cell. More would only take time. */
const CHARS_MAX = 600;

/** Beginning of a text in a cell of the grid, or its difference to the baseline. */
export function CellText({ of, content, base }: CellTextProps) {
  if (content === 'diff' && base) return <CellDiff left={base} right={of} />;
  const text = content === 'json' ? toPretty(of) : toReadable(of);
  if (text === '') return <span className="muted">Empty</span>;
  return <span className={content === 'json' ? 'mono' : undefined}>{text.slice(0, CHARS_MAX)}</span>;
}

/** Paths that differ for two objects, otherwise words that differ. */
function CellDiff({ left, right }: { readonly left: CutText; readonly right: CutText }) {
  const paths = useMemo(() => {
    const objects = toObjects(left, right);
    // An object with one text is compared by its words.
    if (!objects || toReadable(left) !== left.text || toReadable(right) !== right.text) return undefined;
    return diffJson(...objects).filter((each) => each.left !== each.right);
  }, [left, right]);
  const parts = useMemo(
    () => (paths ? [] : diffTexts(toReadable(left).slice(0, CHARS_MAX), toReadable(right).slice(0, CHARS_MAX))),
    [paths, left, right],
  );
  if (paths?.length === 0 || (!paths && parts.every(({ of }) => of === 'both'))) {
    return <span className="muted">Same as the baseline</span>;
  }
  if (paths) {
    return (
      <span className="diff mono">
        {paths.slice(0, PATH_COUNT_MAX).map(({ path, left: before, right: after }) => (
          <span key={path} className="cell-path">
            <span className="muted">{path}</span>{' '}
            <Parts
              parts={diffTexts((before ?? '').slice(0, VALUE_CHARS_MAX), (after ?? '').slice(0, VALUE_CHARS_MAX))}
            />
          </span>
        ))}
      </span>
    );
  }
  return (
    <span className="diff">
      <Parts parts={parts} />
    </span>
  );
}

const Parts = ({ parts }: { readonly parts: readonly TextPart[] }) =>
  parts.map((part, index) => {
    const Mark = part.of === 'left' ? 'del' : 'ins';
    // biome-ignore lint/suspicious/noArrayIndexKey: a part is identified by its position
    return part.of === 'both' ? part.text : <Mark key={index}>{part.text}</Mark>;
  });

const PATH_COUNT_MAX = 8;
const VALUE_CHARS_MAX = 300;
