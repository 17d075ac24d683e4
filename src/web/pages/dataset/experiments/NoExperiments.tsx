import { useAccess } from '../../../access/use-access.ts';
import { CodeSamples } from '../../../components/code/CodeSamples.tsx';
import { invalidate } from '../../../data/query-client.ts';
import { send } from '../../../data/request.ts';
import { usePoll } from '../../../data/use-poll.ts';
import { appUrl } from '../../../router/app-url.ts';
import { Link } from '../../../router/Link.tsx';
import { type DatasetTabProps, tabPath } from '../dataset-tabs.ts';
import { experimentCode } from './experiment-code.ts';
import { datasetOf } from './experiment-row.ts';
import { experimentChart } from './generated/experiments.ts';

const POLL_MS = 3_000;

interface NoExperimentsProps extends Pick<DatasetTabProps, 'dataset'> {
  /** Called when the first experiment has arrived. */
  readonly onArrived: () => void;
}

/** Page of a dataset without experiments: code to run, and a wait that ends when the first experiment arrives. */
export function NoExperiments({ dataset, onArrived }: NoExperimentsProps) {
  const { hasSignIn } = useAccess();
  const url = new URL(appUrl(''), window.location.origin).href.replace(/\/$/, '');
  usePoll(() => {
    void send(experimentChart, { id: dataset.id, first: 1 }).then(
      (data) => {
        if ((datasetOf(data)?.experiments.edges.length ?? 0) === 0) return;
        void invalidate();
        onArrived();
      },
      // The next poll tries again.
      () => {},
    );
  }, POLL_MS);
  const code = { url, datasetId: dataset.id, datasetName: dataset.name, needsKey: hasSignIn };
  return (
    <div className="page-body">
      <div className="page-narrow no-experiments">
        <h2>No experiments yet</h2>
        {dataset.exampleCount === 0 ? (
          <p className="muted">
            An experiment runs your application on every example of the dataset.{' '}
            <Link to={tabPath(dataset.id, 'examples')}>Add examples</Link> first.
          </p>
        ) : (
          <p className="muted">
            An experiment runs your application on every example of the dataset and stores the outputs with their
            scores. Run one of these programs. The experiment appears here by itself.
          </p>
        )}
        <CodeSamples samples={experimentCode(code)} />
        {hasSignIn && (
          <p className="muted">
            Set <code>PHOENIX_API_KEY</code> to a key of your <Link to="/profile">profile page</Link>.
          </p>
        )}
      </div>
    </div>
  );
}
