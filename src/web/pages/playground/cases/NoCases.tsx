import { Link } from '../../../router/Link.tsx';
import type { CaseSource } from '../state/cases.ts';

interface NoCasesProps {
  readonly source: CaseSource;
  readonly isComplete: boolean;
}

/** Says why there are no rows, and the next step. */
export function NoCases({ source, isComplete }: NoCasesProps) {
  if (source.type === 'dataset') {
    if (source.datasetId === '') {
      return (
        <div className="empty">
          <h2>Choose a dataset</h2>
          <p>Its examples become the rows, and each variant runs over all of them as an experiment.</p>
          <Link className="button" to="/datasets">
            All datasets
          </Link>
        </div>
      );
    }
    return isComplete ? (
      <div className="empty">
        <h2>There are no examples</h2>
        <p>The dataset is empty, or no example is in the chosen splits.</p>
      </div>
    ) : (
      <div className="pg-rest" aria-busy="true" />
    );
  }
  if (source.type === 'spans' && source.projectId === '') {
    return (
      <div className="empty">
        <h2>Choose a project</h2>
        <p>The newest spans that match the filter become the rows. Their variables fill the templates.</p>
      </div>
    );
  }
  return isComplete ? (
    <div className="empty">
      <h2>No spans match</h2>
      <p>Change the filter, or choose another project.</p>
    </div>
  ) : (
    <div className="pg-rest" aria-busy="true" />
  );
}
