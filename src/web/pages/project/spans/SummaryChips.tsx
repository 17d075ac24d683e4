import * as ariakit from '@ariakit/react';
import { useEffect, useState } from 'react';
import { AnnotationChip } from '../../../components/annotations/AnnotationChip.tsx';
import { AnnotationFilter } from '../../../components/annotations/AnnotationFilter.tsx';
import '../../../components/annotations/annotations.css';
import type { SpanRow } from './span-row.ts';

export type Summary = NonNullable<SpanRow['spanAnnotationSummaries']>[number];

interface SummaryChipsProps {
  readonly target: 'span' | 'trace';
  readonly summaries: readonly Summary[];
}

/**
 * Chips of annotations, one per name. Each filters by its label or score. A table cell shows one chip, and the others
 * on demand.
 */
export function SummaryChips({ target, summaries }: SummaryChipsProps) {
  const [first, ...others] = summaries;
  return (
    <span className="annotation-chips">
      {first && <Chip target={target} summary={first} />}
      {others.length > 0 && <Others target={target} summaries={others} />}
    </span>
  );
}

function Chip({ target, summary }: { readonly target: SummaryChipsProps['target']; readonly summary: Summary }) {
  const { name, meanScore, labelFractions } = summary;
  return (
    <AnnotationFilter target={target} name={name} labels={labelFractions.map(({ label }) => label)} score={meanScore}>
      <AnnotationChip name={name} label={mostFrequent(labelFractions)} score={meanScore} />
    </AnnotationFilter>
  );
}

/** A table has hundreds of chips, so each one creates its popover on demand. */
function Others(props: SummaryChipsProps) {
  const [isRequested, setRequested] = useState(false);
  const { summaries } = props;
  const title = summaries.map(({ name }) => name).join(', ');
  if (isRequested) return <OthersOpen {...props} title={title} />;
  return (
    <button type="button" className="plain-button chips-more" title={title} onClick={() => setRequested(true)}>
      +{summaries.length}
    </button>
  );
}

/** Opens immediately and takes the focus. */
function OthersOpen({ target, summaries, title }: SummaryChipsProps & { readonly title: string }) {
  const store = ariakit.usePopoverStore({ placement: 'bottom-start' });
  useEffect(() => store.show(), [store]);
  return (
    <>
      <ariakit.PopoverDisclosure store={store} className="plain-button chips-more" title={title}>
        +{summaries.length}
      </ariakit.PopoverDisclosure>
      <ariakit.Popover
        store={store}
        className="popover annotation-chips wraps chips-others"
        gutter={4}
        unmountOnHide
        portal
        aria-label="Other annotations"
        // React bubbles clicks in the popover to the table row, although the popover is not inside of it.
        onClick={(event) => event.stopPropagation()}
      >
        {summaries.map((summary) => (
          <Chip key={summary.name} target={target} summary={summary} />
        ))}
      </ariakit.Popover>
    </>
  );
}

export const mostFrequent = (fractions: Summary['labelFractions']): string | null =>
  fractions.length === 0 ? null : fractions.reduce((most, each) => (each.fraction > most.fraction ? each : most)).label;
