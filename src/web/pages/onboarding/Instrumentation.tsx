import { useAccess } from '../../access/use-access.ts';
import { CodeSamples } from '../../components/code/CodeSamples.tsx';
import { appUrl } from '../../router/app-url.ts';
import { Link } from '../../router/Link.tsx';
import { SNIPPETS } from './snippets.ts';
import './onboarding.css';

/** Code that sends traces of an application to this project. */
export function Instrumentation({ projectName }: { readonly projectName: string }) {
  const { hasSignIn, isKnown, may } = useAccess();
  const url = new URL(appUrl(''), window.location.origin).href.replace(/\/$/, '');
  return (
    <>
      <CodeSamples
        samples={SNIPPETS.map(({ code, ...snippet }) => ({ ...snippet, code: code(url, projectName) }))}
        action="Send"
      />
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
