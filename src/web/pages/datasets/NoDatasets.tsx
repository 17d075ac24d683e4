import { useAccess } from '../../access/use-access.ts';
import { CodeSamples } from '../../components/code/CodeSamples.tsx';
import { Icon } from '../../components/Icon.tsx';
import { CreateSample } from '../../components/sample/CreateSample.tsx';
import { appUrl } from '../../router/app-url.ts';
import { Link } from '../../router/Link.tsx';
import { datasetSamples } from './code-samples.ts';
import { createDataset } from './generated/datasets.ts';

interface NoDatasetsProps {
  readonly onFile: () => void;
  readonly onScratch: () => void;
}

/** Page without datasets: what they are for, and the ways to a first one. */
export function NoDatasets({ onFile, onScratch }: NoDatasetsProps) {
  const { may, hasSignIn } = useAccess();
  const url = new URL(appUrl(''), window.location.origin).href.replace(/\/$/, '');
  return (
    <div className="page-body">
      <div className="page-narrow no-datasets">
        <h2>No datasets yet</h2>
        <p className="muted">
          A dataset holds the examples on which you compare versions of your application: an input, the expected output,
          and metadata. Collect them from traces, upload a file, or send them with code.
        </p>
        {may(createDataset) ? (
          <>
            <div className="row">
              <button type="button" className="button primary" onClick={onFile}>
                <Icon name="upload" size={14} /> Upload a file
              </button>
              <button type="button" className="button" onClick={onScratch}>
                <Icon name="plus" size={14} /> New empty dataset
              </button>
            </div>
            <CodeSamples samples={datasetSamples(url)} action="Send" />
            {hasSignIn && (
              <p className="muted">
                This server accepts examples with an API key only. Create one on your{' '}
                <Link to="/profile">profile page</Link> and send it as <code>Authorization: Bearer &lt;key&gt;</code>.
              </p>
            )}
            <CreateSample />
          </>
        ) : (
          <p className="muted">Members and administrators create datasets.</p>
        )}
      </div>
    </div>
  );
}
