import { useState } from 'react';
import { toastFailure } from '../../components/toasts.tsx';
import { invalidate } from '../../data/query-client.ts';
import { navigate } from '../../router/location.ts';
import './sample.css';

/** One click, and there is something to look at. */
export function SampleProject({ title = 'Or look around first' }: { readonly title?: string }) {
  const [isBusy, setBusy] = useState(false);
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
          A day of a support assistant that answers, searches, calls tools, and sometimes fails; in a project of its
          own.
        </p>
      </div>
      <button type="button" className="button primary" disabled={isBusy} onClick={load}>
        {isBusy ? 'Loading …' : 'Load the sample project'}
      </button>
    </div>
  );
}
