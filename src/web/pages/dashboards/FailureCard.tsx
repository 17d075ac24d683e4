import type { ReactNode } from 'react';
import { Failure } from '../../components/Failure.tsx';
import type { RequestFailure } from '../../data/request.ts';
import { type Panel, titleOf } from './panel.ts';

interface FailureCardProps {
  readonly panel: Panel;
  readonly failure: RequestFailure;
  readonly onRetry: () => void;
  readonly actions?: ReactNode;
}

/** A panel that could not be read. The others of the dashboard stay. */
export function FailureCard({ panel, failure, onRetry, actions }: FailureCardProps) {
  return (
    <section className="card chart-card" aria-label={titleOf(panel)}>
      <header>
        <h2 className="clip">{titleOf(panel)}</h2>
        <span className="grow" />
        {actions}
      </header>
      <Failure failure={failure} onRetry={onRetry} rejectedTitle="This panel cannot be shown" />
    </section>
  );
}
