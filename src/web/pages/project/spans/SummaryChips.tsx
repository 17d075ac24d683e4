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
 * How something was judged, one chip a name; each leads to what was judged alike. A cell has room for one that can be read:
 * the others come when they are asked for.
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

/** A table has hundreds of them: each makes its popover when it is asked. */
function Others(props: SummaryChipsProps) {
  const [isAsked, setAsked] = useState(false);
  const { summaries } = props;
  const title = summaries.map(({ name }) => name).join(', ');
  if (isAsked) return <OthersOpen {...props} title={title} />;
  return (
    <button type="button" className="plain-button chips-more" title={title} onClick={() => setAsked(true)}>
      +{summaries.length}
    </button>
  );
}

/** Opens at once, and has the focus. */
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
        // React has clicks go up to the row of the table, though the popover is not in it.
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
