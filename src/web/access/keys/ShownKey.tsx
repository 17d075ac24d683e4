import { CopyButton } from '../../components/CopyButton.tsx';
import { Dialog } from '../../components/Dialog.tsx';
import { appUrl } from '../../router/app-url.ts';
import './keys.css';

interface ShownKeyProps {
  readonly name: string;
  readonly text: string;
  readonly onClose: () => void;
}

/** The text of a new key, with examples that can be pasted. The server does not store the text. */
export function ShownKey({ name, text, onClose }: ShownKeyProps) {
  return (
    <Dialog title={`Key ${name} created`} isWide isRequired isOpen onClose={onClose}>
      <p>Copy the key now. It is shown only this once, and anyone who has it can use it.</p>
      <Example label="Key" text={text} />
      <h3>Authorization header</h3>
      <Example label="Header" text={`Authorization: Bearer ${text}`} />
      <h3>Environment of an application that sends spans</h3>
      <Example label="Environment variables" text={exporterVariables(text)} />
      <div className="dialog-actions">
        <button type="button" className="button primary" onClick={onClose}>
          I have copied the key
        </button>
      </div>
    </Dialog>
  );
}

/** OpenTelemetry exporters decode the value of a header as a URL, so the blank is written as `%20`. */
function exporterVariables(text: string): string {
  const url = new URL(appUrl('v1/traces'), window.location.origin).href;
  return [
    `export OTEL_EXPORTER_OTLP_TRACES_ENDPOINT=${url}`,
    'export OTEL_EXPORTER_OTLP_TRACES_PROTOCOL=http/protobuf',
    `export OTEL_EXPORTER_OTLP_HEADERS=authorization=Bearer%20${text}`,
  ].join('\n');
}

const Example = ({ label, text }: { readonly label: string; readonly text: string }) => (
  <div className="key-example">
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long key scrolls, also by keyboard */}
    <pre role="region" aria-label={label} tabIndex={0}>
      {text}
    </pre>
    <CopyButton text={text} label={`Copy ${label.toLowerCase()}`} />
  </div>
);
