import type { JsonObject } from '../../../../semconv/read-open-inference.ts';
import { providerLabel } from '../../../components/prompt/version-content.ts';
import { Card } from '../../../components/values/Card.tsx';
import { JsonView } from '../../../components/values/JsonView.tsx';

interface ParametersViewProps {
  readonly modelName: string;
  readonly provider: string;
  /** Custom provider that is called instead of the vendor. */
  readonly customProvider: string | undefined;
  readonly parameters: JsonObject;
}

/** Model and parameters of a version. */
export function ParametersView({ modelName, provider, customProvider, parameters }: ParametersViewProps) {
  const entries = Object.entries(parameters);
  return (
    <Card title="Model and parameters" copies={() => JSON.stringify(parameters, null, 2)}>
      <dl className="prompt-facts">
        <Fact label="Model">{modelName}</Fact>
        <Fact label="Provider">{customProvider ?? providerLabel(provider)}</Fact>
        {entries.map(([name, value]) => (
          <Fact key={name} label={name}>
            {typeof value === 'object' && value !== null ? <JsonView value={value} /> : String(value)}
          </Fact>
        ))}
      </dl>
      {entries.length === 0 && <p className="muted">No parameters. The model uses its defaults.</p>}
    </Card>
  );
}

function Fact({ label, children }: { readonly label: string; readonly children: React.ReactNode }) {
  return (
    <div>
      <dt className="muted" dir="auto">
        {label}
      </dt>
      <dd dir="auto">{children}</dd>
    </div>
  );
}
