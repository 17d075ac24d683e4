import { useAccess } from '../../access/use-access.ts';
import { CopyButton } from '../../components/CopyButton.tsx';
import { setPreference, usePreferences } from '../../preferences/preferences.ts';
import { appUrl } from '../../router/app-url.ts';
import { Link } from '../../router/Link.tsx';
import { SNIPPETS } from './snippets.ts';
import './onboarding.css';

/** Code that sends traces of an application to this project. */
export function Instrumentation({ projectName }: { readonly projectName: string }) {
  const { codeLanguage } = usePreferences();
  const { hasSignIn, isKnown, may } = useAccess();
  const url = new URL(appUrl(''), window.location.origin).href.replace(/\/$/, '');
  const snippet = SNIPPETS.find(({ id }) => id === codeLanguage) ?? SNIPPETS[0]!;
  const code = snippet.code(url, projectName);
  return (
    <>
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
        You can also use any OpenTelemetry exporter. Set <code>OTEL_EXPORTER_OTLP_ENDPOINT={url}</code> with{' '}
        <code>OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf</code>, and the resource attribute{' '}
        <code>openinference.project.name={projectName}</code>.
      </p>
      {hasSignIn && isKnown && !may('send') && (
        <p className="muted">Your role cannot send spans. Ask an administrator for a key that may send them.</p>
      )}
      {hasSignIn && may('send') && (
        <p className="muted">
          This server accepts spans with an API key only. Create one on your <Link to="/profile">profile page</Link> and
          set <code>OTEL_EXPORTER_OTLP_HEADERS=authorization=Bearer%20&lt;key&gt;</code>, or send the header{' '}
          <code>Authorization: Bearer &lt;key&gt;</code> with curl.
        </p>
      )}
    </>
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
