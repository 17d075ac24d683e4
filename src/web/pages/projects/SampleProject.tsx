import { useState } from 'react';
import { useAccess } from '../../access/use-access.ts';
import { toastFailure } from '../../components/toasts.tsx';
import { invalidate } from '../../data/query-client.ts';
import { navigate } from '../../router/location.ts';
import '../../components/sample/sample.css';

/** Button that loads sample data. */
export function SampleProject({ title = 'Or load sample data' }: { readonly title?: string }) {
  const [isBusy, setBusy] = useState(false);
  const { may } = useAccess();
  if (!may('send')) return null;
  const load = async () => {
    setBusy(true);
    try {
      const { loadSampleProject } = await import('../onboarding/load-sample-project.ts');
      const place = await loadSampleProject();
      void invalidate();
      navigate(place);
    } catch (error) {
      toastFailure(`The sample project could not be loaded: ${String(error)}`);
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className="sample card">
      <div className="grow">
        <h2>{title}</h2>
        <p className="muted">
          One day of a support assistant with model calls, retrievals, tool calls and errors, in a project of its own.
        </p>
      </div>
      <button type="button" className="button primary" disabled={isBusy} onClick={load}>
        {isBusy ? 'Loading…' : 'Load sample project'}
      </button>
    </div>
  );
}
