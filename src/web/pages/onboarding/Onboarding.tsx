import { useState } from 'react';
import { toast } from '../../components/toasts.tsx';
import { invalidate } from '../../data/query-client.ts';
import { send } from '../../data/request.ts';
import { usePoll } from '../../data/use-poll.ts';
import { navigate } from '../../router/location.ts';
import { SampleProject } from '../projects/SampleProject.tsx';
import { firstTrace } from './generated/onboarding.ts';
import { Instrumentation } from './Instrumentation.tsx';
import './onboarding.css';

const POLL_MS = 1_500;

interface OnboardingProps {
  readonly projectId: string;
  readonly projectName: string;
  /** Called when the first trace has arrived and is open, in the drawer or on its page. */
  readonly onArrived: () => void;
}

/** Page of a project without traces: code to run, and a wait that ends when the first trace arrives. */
export function Onboarding({ projectId, projectName, onArrived }: OnboardingProps) {
  const [isDone, setDone] = useState(false);
  const poll = async () => {
    const { node } = await send(firstTrace, { id: projectId }).catch(() => ({ node: undefined }));
    const span = node?.__typename === 'Project' ? node.spans.edges[0]?.node : undefined;
    if (!span || isDone) return;
    setDone(true);
    void invalidate();
    toast('The first trace is here.');
    navigate(`/projects/${encodeURIComponent(projectId)}/traces/${span.context.traceId}`, { replaces: true });
    onArrived();
  };
  usePoll(() => void poll(), isDone ? undefined : POLL_MS);
  return (
    <div className="page-body">
      <div className="page-narrow onboarding">
        <div className="row waiting" role="status">
          <span className="waiting-dot" />
          <h2>Waiting for the first trace of {projectName}</h2>
        </div>
        <p className="muted">Run one of these examples. The trace opens here when it arrives.</p>
        <Instrumentation projectName={projectName} />
        <SampleProject />
      </div>
    </div>
  );
}
