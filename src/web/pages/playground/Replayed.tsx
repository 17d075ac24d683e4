import { Fragment, useState } from 'react';
import { Icon } from '../../components/Icon.tsx';
import { Link } from '../../router/Link.tsx';
import { tabPath } from '../dataset/dataset-tabs.ts';
import type { LoadedDraft } from './load-draft.ts';

/** The recorded call or experiments that the page replays, with the way back, and what could not be read of it. */
export function Replayed({ loaded: { replay, warnings, recorded } }: { readonly loaded: LoadedDraft }) {
  const [isHidden, setHidden] = useState(false);
  if ((!replay && recorded.length === 0) || isHidden) return null;
  return (
    <div className="pg-note" role="note">
      <div className="grow">
        {replay && (
          <p>
            Replay of{' '}
            <Link to={`/projects/${replay.projectId}/spans/${replay.traceId}`} dir="auto">
              {replay.name}
            </Link>
            . Its recorded output is in the grid until you run it.
            {replay.isRecovered && ' The variables were recovered by matching the template with the messages.'}
          </p>
        )}
        {recorded.length > 0 && (
          <p>
            Recorded runs of{' '}
            {recorded.map(({ experimentId, name, datasetId }, index) => (
              <Fragment key={experimentId}>
                {index > 0 && ', '}
                <Link to={tabPath(datasetId, 'experiments', experimentId)} dir="auto">
                  {name}
                </Link>
              </Fragment>
            ))}
            . A run makes another experiment.
          </p>
        )}
        {warnings.length > 0 && (
          <ul>
            {warnings.map((warning) => (
              <li key={warning}>
                <Icon name="warning" size={12} /> {warning}
              </li>
            ))}
          </ul>
        )}
      </div>
      <button
        type="button"
        className="button bare small icon-only"
        aria-label="Hide the note"
        onClick={() => setHidden(true)}
      >
        <Icon name="close" size={12} />
      </button>
    </div>
  );
}
