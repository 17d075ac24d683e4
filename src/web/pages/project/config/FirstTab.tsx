import { isDataTab, TABS, useFirstTab } from '../project-tabs.ts';

/** Tab that links to the project open, in this browser. */
export function FirstTab({ projectId }: { readonly projectId: string }) {
  const [first, setFirst] = useFirstTab(projectId);
  return (
    <section className="card" aria-label="Default tab">
      <h2>Default tab</h2>
      <span className="segments" role="group" aria-label="Default tab">
        {TABS.map(({ id, label }) =>
          isDataTab(id) ? (
            <button key={id} type="button" aria-pressed={id === first} onClick={() => setFirst(id)}>
              {label}
            </button>
          ) : null,
        )}
      </span>
      <p className="muted">Links to the project open this tab in this browser.</p>
    </section>
  );
}
