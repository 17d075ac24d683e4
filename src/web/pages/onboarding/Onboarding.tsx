import { useState } from 'react';
import { CopyButton } from '../../components/CopyButton.tsx';
import { tell } from '../../components/toasts.tsx';
import { send } from '../../data/request.ts';
import { usePoll } from '../../data/use-poll.ts';
import { forgetAnswers } from '../../data/use-query.ts';
import { setPreference, usePreferences } from '../../preferences/preferences.ts';
import { appUrl } from '../../router/app-url.ts';
import { navigate } from '../../router/location.ts';
import { SampleProject } from '../projects/SampleProject.tsx';
import { firstTrace } from './generated/onboarding.ts';
import { SNIPPETS } from './snippets.ts';
import './onboarding.css';

const POLL_MS = 1_500;

interface OnboardingProps {
  readonly projectId: string;
  readonly projectName: string;
  /** The first trace is there, and has been opened: over the table, or on its page. */
  readonly onArrived: () => void;
}

/** A project without traces: code that works as it stands, and a wait that ends by itself. */
export function Onboarding({ projectId, projectName, onArrived }: OnboardingProps) {
  const { codeLanguage } = usePreferences();
  const [isDone, setDone] = useState(false);
  const poll = async () => {
    const { node } = await send(firstTrace, { id: projectId }).catch(() => ({ node: undefined }));
    const span = node?.__typename === 'Project' ? node.spans.edges[0]?.node : undefined;
    if (!span || isDone) return;
    setDone(true);
    forgetAnswers();
    tell('The first trace is here.');
    navigate(`/projects/${encodeURIComponent(projectId)}/traces/${span.context.traceId}`, { replaces: true });
    onArrived();
  };
  usePoll(() => void poll(), isDone ? undefined : POLL_MS);
  const url = new URL(appUrl(''), window.location.origin).href.replace(/\/$/, '');
  const snippet = SNIPPETS.find(({ id }) => id === codeLanguage) ?? SNIPPETS[0]!;
  const code = snippet.code(url, projectName);
  return (
    <div className="page-body">
      <div className="page-narrow onboarding">
        <div className="row waiting" role="status">
          <span className="waiting-dot" />
          <h2>Waiting for the first trace of {projectName}</h2>
        </div>
        <p className="muted">Run one of these as it stands. The trace opens here by itself when it arrives.</p>
        <section className="card onboarding-code">
          <header>
            <span className="segments" role="group" aria-label="Language">
              {SNIPPETS.map(({ id, label }) => (
                <button
                  key={id}
                  type="button"
                  aria-pressed={id === snippet.id}
                  onClick={() => setPreference('codeLanguage', id)}
                >
                  {label}
                </button>
              ))}
            </span>
          </header>
          {snippet.install !== undefined && <Code text={snippet.install} label="Install" />}
          <Code text={code} label={snippet.install === undefined ? 'Send' : 'Run'} />
        </section>
        <p className="muted">
          Any OpenTelemetry exporter works too: <code>OTEL_EXPORTER_OTLP_ENDPOINT={url}</code> with{' '}
          <code>OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf</code>, and the resource attribute{' '}
          <code>openinference.project.name={projectName}</code>.
        </p>
        <SampleProject />
      </div>
    </div>
  );
}

function Code({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    <div className="code">
      <div className="row">
        <span className="grow muted">{label}</span>
        <CopyButton text={text} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it */}
      <pre tabIndex={0}>{text}</pre>
    </div>
  );
}
