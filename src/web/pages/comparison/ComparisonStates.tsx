import type { ReactNode } from 'react';
import { Link } from '../../router/Link.tsx';
import { setSearch, withSearch } from '../../router/location.ts';
import { tabPath } from '../dataset/dataset-tabs.ts';
import { EXPERIMENT_COUNT_MAX } from './address.ts';

interface NothingChosenProps {
  readonly datasetId: string;
  /** Number of experiments in the address. */
  readonly count: number;
  readonly children?: ReactNode;
}

/** Shown when there are too few experiments to compare. */
export function NothingChosen({ datasetId, count, children }: NothingChosenProps) {
  return (
    <div className="empty">
      <h2>{count === 0 ? 'Choose experiments to compare' : 'Choose another experiment'}</h2>
      <p>
        {count === 0
          ? `Add two to ${EXPERIMENT_COUNT_MAX} experiments of this dataset. The first one is the baseline, with which the others are compared.`
          : 'A comparison needs a second experiment. The list shows the runs of a single one.'}
      </p>
      <div className="row">
        {children}
        {count === 1 && (
          <Link className="button" to={withSearch({ view: 'list' })}>
            Show the list
          </Link>
        )}
        <Link className="button" to={tabPath(datasetId, 'experiments')}>
          All experiments
        </Link>
      </div>
    </div>
  );
}

export function UnknownView({ view }: { readonly view: string }) {
  return (
    <div className="empty">
      <h2>There is no view with this name</h2>
      <p>
        The address asks for the view “{view.slice(0, 60)}”. A comparison has a summary (<code>metrics</code>), a{' '}
        <code>grid</code> and a <code>list</code>.
      </p>
      <div className="row">
        <Link className="button" to={withSearch({ view: 'metrics' })}>
          Show the summary
        </Link>
        <Link className="button" to={withSearch({ view: null })}>
          Show the grid
        </Link>
      </div>
    </div>
  );
}

interface TooManyProps {
  readonly count: number;
  readonly onKeep: () => void;
}

export function TooManyExperiments({ count, onKeep }: TooManyProps) {
  return (
    <div className="empty">
      <h2>At most {EXPERIMENT_COUNT_MAX} experiments can be compared</h2>
      <p>
        The address names {count}. Remove some of them, or keep the first {EXPERIMENT_COUNT_MAX}.
      </p>
      <button type="button" className="button primary" onClick={onKeep}>
        Keep the first {EXPERIMENT_COUNT_MAX}
      </button>
    </div>
  );
}

interface MissingProps {
  readonly count: number;
  readonly onRemove: () => void;
}

export function MissingExperiments({ count, onRemove }: MissingProps) {
  return (
    <div className="empty" role="alert">
      <h2>{count === 1 ? 'An experiment does not exist' : `${count} experiments do not exist`}</h2>
      <p>
        {count === 1 ? 'It' : 'They'} may have been deleted, or may belong to another dataset. The other experiments can
        still be compared.
      </p>
      <button type="button" className="button primary" onClick={onRemove}>
        Remove {count === 1 ? 'it' : 'them'} from the comparison
      </button>
    </div>
  );
}

export const clearFilters = (): void =>
  setSearch({
    regressedOn: null,
    improvedOn: null,
    disagreeOn: null,
    hasError: null,
    isMissing: null,
    slowerThanMs: null,
    runFilterCondition: null,
    search: null,
    splitId: null,
  });
