import { useState } from 'react';
import { useAccess } from '../../access/use-access.ts';
import { loadSample } from './create-sample.ts';
import { createSample } from './generated/sample.ts';
import './sample.css';

/** Card in an empty state that creates the sample. Hidden from users who may not write. */
export function CreateSample({ title = 'Or start with a sample' }: { readonly title?: string }) {
  const [isBusy, setBusy] = useState(false);
  const { may } = useAccess();
  if (!may(createSample)) return null;
  const create = async () => {
    setBusy(true);
    await loadSample();
    setBusy(false);
  };
  return (
    <div className="sample card">
      <div className="grow">
        <h2>{title}</h2>
        <p className="muted">
          40 support questions in three splits, three versions of a prompt, and two experiments with scores and traces.
          Written by hand, marked as a sample, deleted with one click.
        </p>
      </div>
      <button type="button" className="button" disabled={isBusy} onClick={() => void create()}>
        {isBusy ? 'Creating…' : 'Create sample'}
      </button>
      {isBusy && (
        <span className="visually-hidden" role="status">
          Creating the sample…
        </span>
      )}
    </div>
  );
}
