import { useState } from 'react';
import type { JsonObject } from '../../../semconv/read-open-inference.ts';
import { formatCount } from '../../format/numbers.ts';
import { JsonDiff } from '../diff/JsonDiff.tsx';
import type { SampleContent, UploadPlan, UploadSample } from './send-file.ts';

const KINDS = [
  { id: 'changed', label: 'Changed', count: 'changed_count' },
  { id: 'created', label: 'Added', count: 'created_count' },
  { id: 'deleted', label: 'Deleted', count: 'deleted_count' },
] as const;

/** What an upload does to the examples: counts, and the first examples of each kind. */
export function UploadPlanView({ plan }: { readonly plan: UploadPlan }) {
  const [chosen, setChosen] = useState<(typeof KINDS)[number]['id']>();
  const first = KINDS.find(({ count }) => plan[count] > 0);
  const kind = KINDS.find(({ id }) => id === chosen) ?? first;
  const samples = kind ? plan[kind.id] : [];
  return (
    <section aria-label="Changes" className="upload-plan">
      <header className="row">
        <span className="segments" role="group" aria-label="Kind of change">
          {KINDS.map(({ id, label, count }) => (
            <button key={id} type="button" aria-pressed={id === kind?.id} onClick={() => setChosen(id)}>
              {label} <strong>{formatCount(plan[count])}</strong>
            </button>
          ))}
        </span>
        <span className="muted">{formatCount(plan.unchanged_count)} unchanged</span>
      </header>
      {!first && <p>The file has the same examples as the dataset.</p>}
      <div className="plan-samples">
        {samples.map((sample, index) => (
          <Sample key={sample.id ?? index} sample={sample} />
        ))}
      </div>
      {kind && plan[kind.count] > samples.length && samples.length > 0 && (
        <p className="muted">
          The first {formatCount(samples.length)} of {formatCount(plan[kind.count])}.
        </p>
      )}
    </section>
  );
}

function Sample({ sample: { id, before, after } }: { readonly sample: UploadSample }) {
  if (!before || !after) return <Content id={id} content={(before ?? after)!} />;
  const [left, right] = [toObject(before), toObject(after)];
  if (!left || !right) {
    return (
      <>
        <Content id={id} content={before} />
        <Content id={id} content={after} />
      </>
    );
  }
  return <JsonDiff noun={id ?? 'Values'} left={left} right={right} labels={{ left: 'Dataset', right: 'File' }} />;
}

function Content({ id, content }: { readonly id: string | null; readonly content: SampleContent }) {
  return (
    <dl className="plan-content card">
      {id !== null && (
        <>
          <dt>ID</dt>
          <dd className="clip">{id}</dd>
        </>
      )}
      {(['input', 'output', 'metadata'] as const).map((part) => (
        <div key={part} style={{ display: 'contents' }}>
          <dt>{part}</dt>
          <dd className="mono">{content[part]}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Undefined if a value was cut, so that it is not JSON any more. */
function toObject({ input, output, metadata }: SampleContent): JsonObject | undefined {
  try {
    return { input: JSON.parse(input), output: JSON.parse(output), metadata: JSON.parse(metadata) };
  } catch {
    return undefined;
  }
}
