import { TABS, useFirstTab } from '../project-tabs.ts';

/** Which tab links to the project open, for whoever uses this browser. */
export function FirstTab({ projectId }: { readonly projectId: string }) {
  const [first, setFirst] = useFirstTab(projectId);
  return (
    <section className="card" aria-label="Opens with">
      <h2>Opens with</h2>
      <span className="segments" role="group" aria-label="Default tab">
        {TABS.map(({ id, label }) =>
          id === 'config' ? null : (
            <button key={id} type="button" aria-pressed={id === first} onClick={() => setFirst(id)}>
              {label}
            </button>
          ),
        )}
      </span>
      <p className="muted">What a link to the project shows in this browser.</p>
    </section>
  );
}
