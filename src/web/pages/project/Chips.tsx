import { AnnotationChip } from '../../components/annotations/AnnotationChip.tsx';
import { AnnotationFilter } from '../../components/annotations/AnnotationFilter.tsx';
import '../../components/annotations/annotations.css';
import type { SpanRow } from './span-row.ts';

export type Summary = NonNullable<SpanRow['spanAnnotationSummaries']>[number];

interface ChipsProps {
  readonly target: 'span' | 'trace';
  readonly summaries: readonly Summary[];
}

/** How something was judged, one chip a name; each leads to what was judged alike. */
export const Chips = ({ target, summaries }: ChipsProps) => (
  <span className="annotation-chips">
    {summaries.map(({ name, meanScore, labelFractions }) => (
      <AnnotationFilter
        key={name}
        target={target}
        name={name}
        labels={labelFractions.map(({ label }) => label)}
        score={meanScore}
      >
        <AnnotationChip name={name} label={mostFrequent(labelFractions)} score={meanScore} />
      </AnnotationFilter>
    ))}
  </span>
);

export const mostFrequent = (fractions: Summary['labelFractions']): string | null =>
  fractions.length === 0 ? null : fractions.reduce((most, each) => (each.fraction > most.fraction ? each : most)).label;
