import type { CSSProperties } from 'react';
import { shownName } from '../../format/names.ts';
import type { Compared } from './compared.ts';

/** Letter of an experiment in its color. */
export function ExperimentMark({ of: { letter, color } }: { readonly of: Pick<Compared, 'letter' | 'color'> }) {
  return (
    <span className="compared-mark" style={{ '--mark': `var(${color})` } as CSSProperties}>
      {letter}
    </span>
  );
}

/** Mark and name of an experiment. */
export function ExperimentName({ of }: { readonly of: Compared }) {
  return (
    <span className="compared-name" title={titleOf(of)}>
      <ExperimentMark of={of} />{' '}
      <span className="clip" dir="auto">
        {shownName(of.name)}
      </span>
    </span>
  );
}

export const titleOf = ({ experiment, name, isBase }: Compared): string =>
  experiment ? `#${experiment.sequenceNumber} ${name}${isBase ? ', the baseline' : ''}` : name;
