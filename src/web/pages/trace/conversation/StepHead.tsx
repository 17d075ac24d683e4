import { Icon } from '../../../components/Icon.tsx';
import { KindMark } from '../../../components/Kind.tsx';
import { shownName } from '../../../format/names.ts';
import { formatCost, formatCount, formatLatency } from '../../../format/numbers.ts';
import type { PaneProps } from '../pane-props.ts';

interface StepHeadProps extends PaneProps {
  readonly index: number;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
  /** Short summary beside the name. */
  readonly gist?: string | undefined;
}

/** Header of a step: expands and collapses it, and opens its span. */
export function StepHead({ tree, costs, selected, onSelect, index, isOpen, onToggle, gist }: StepHeadProps) {
  const { latenciesMs, cumulativeTokenCounts } = tree.skeleton;
  const tokens = cumulativeTokenCounts[index] ?? 0;
  const cost = costs?.cumulative[index] ?? 0;
  return (
    <header>
      <button type="button" className="step-fold" aria-expanded={isOpen} onClick={onToggle}>
        <Icon name="right" size={11} />
        <KindMark kind={tree.kind(index)} />
        <strong className="clip" dir="auto">
          {shownName(tree.name(index))}
        </strong>
        {gist !== undefined && <span className="muted clip">{gist}</span>}
      </button>
      <span className="grow" />
      {tree.isError(index) && <span className="status-error">Error</span>}
      <span className="step-figures muted">
        {tokens > 0 && <span>{formatCount(tokens)} tokens</span>}
        {cost > 0 && <span>{formatCost(cost)}</span>}
        <span>{formatLatency(latenciesMs[index])}</span>
      </span>
      <button
        type="button"
        className="button bare small icon-only"
        aria-label={`Open the span ${shownName(tree.name(index))}`}
        title="Open the span"
        aria-pressed={index === selected}
        onClick={() => onSelect(index)}
      >
        <Icon name="panelRight" size={13} />
      </button>
    </header>
  );
}

/** Returns the first line of a text, shortened. */
export const toGist = (text: string): string => {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > 140 ? `${line.slice(0, 140)}…` : line;
};
