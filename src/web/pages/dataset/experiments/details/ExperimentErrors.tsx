import { useState } from 'react';
import { formatCount } from '../../../../format/numbers.ts';
import { Link } from '../../../../router/Link.tsx';
import type { ExperimentDetails } from '../experiment-row.ts';

type ErrorGroup = ExperimentDetails['errorGroups'][number];

interface ExperimentErrorsProps {
  /** The most frequent first. */
  readonly groups: readonly ErrorGroup[];
  readonly runCount: number;
}

/** Errors of the task and of each evaluator. Equal errors are one line. */
export function ExperimentErrors({ groups, runCount }: ExperimentErrorsProps) {
  if (groups.length === 0) {
    return (
      <section className="card experiment-section" aria-label="Errors">
        <h3>Errors</h3>
        <p className="muted">{runCount === 0 ? 'No runs yet.' : 'No run and no evaluation has failed.'}</p>
      </section>
    );
  }
  const sources = new Map<string, ErrorGroup[]>();
  for (const group of groups) {
    const source = group.source === 'TASK' ? 'Task' : `Evaluator ${group.evaluatorName}`;
    sources.set(source, [...(sources.get(source) ?? []), group]);
  }
  return (
    <section className="card experiment-section" aria-label="Errors">
      <h3>Errors</h3>
      {[...sources].map(([source, members]) => (
        <div key={source}>
          <h4 dir="auto">
            {source} <span className="muted">{formatCount(members.reduce((sum, { count }) => sum + count, 0))}</span>
          </h4>
          <ul className="error-groups">
            {members.map((group) => (
              <ErrorLine key={group.message} group={group} />
            ))}
          </ul>
        </div>
      ))}
    </section>
  );
}

const SHORT_CHARS = 300;

function ErrorLine({ group: { message, count, trace } }: { readonly group: ErrorGroup }) {
  const [isOpen, setOpen] = useState(false);
  const isLong = message.length > SHORT_CHARS;
  return (
    <li>
      <span className="number muted">{formatCount(count)}×</span>
      <div className="grow">
        <pre dir="auto">{isLong && !isOpen ? `${message.slice(0, SHORT_CHARS)}…` : message}</pre>
        <span className="row">
          {isLong && (
            <button type="button" className="button bare small" onClick={() => setOpen(!isOpen)}>
              {isOpen ? 'Show less' : 'Show all'}
            </button>
          )}
          {trace && (
            <Link to={`/projects/${encodeURIComponent(trace.project.id)}/traces/${trace.traceId}`}>Open a trace</Link>
          )}
        </span>
      </div>
    </li>
  );
}
