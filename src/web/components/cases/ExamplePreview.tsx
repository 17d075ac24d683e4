import { useState } from 'react';
import { formatCount } from '../../format/numbers.ts';
import { Icon } from '../Icon.tsx';
import { JsonView } from '../values/JsonView.tsx';
import { type PreviewedExample, SIDES } from './span-mapping.ts';

const REPETITIONS = {
  SPAN: 'Already in the dataset',
  CONTENT: 'Same content as another example',
} as const;

/** Marks an example that would repeat another one. */
export function RepetitionMark({ of }: { readonly of: PreviewedExample['repetition'] }) {
  if (of === null) return null;
  return (
    <span className="repetition-mark">
      <Icon name="copy" size={12} /> {REPETITIONS[of]}
    </span>
  );
}

interface ExamplePreviewProps {
  readonly examples: readonly PreviewedExample[];
  /** Number of all spans. */
  readonly count: number;
  readonly onShow: (index: number) => void;
}

/** The examples of the first spans, one at a time. */
export function ExamplePreview({ examples, count, onShow }: ExamplePreviewProps) {
  const [shown, setShown] = useState(0);
  const index = Math.min(shown, examples.length - 1);
  const example = examples[index];
  const show = (next: number) => {
    setShown(next);
    onShow(next);
  };
  if (!example) return <div className="skeleton" style={{ height: 180 }} />;
  return (
    <section className="example-preview" aria-label="Preview">
      <header className="row">
        <span className="grow" role="status">
          Example {formatCount(index + 1)} of {formatCount(count)}
          {count > examples.length && <span className="muted"> (the first {examples.length} are shown)</span>}
        </span>
        <RepetitionMark of={example.repetition} />
        <button
          type="button"
          className="button small icon-only"
          aria-label="Previous example"
          disabled={index === 0}
          onClick={() => show(index - 1)}
        >
          <Icon name="left" size={12} />
        </button>
        <button
          type="button"
          className="button small icon-only"
          aria-label="Next example"
          disabled={index >= examples.length - 1}
          onClick={() => show(index + 1)}
        >
          <Icon name="right" size={12} />
        </button>
      </header>
      {SIDES.map((side) => (
        <div key={side}>
          <h3>{side[0]?.toUpperCase() + side.slice(1)}</h3>
          <JsonView key={`${example.spanId} ${side}`} value={example[side]} openDepth={1} />
        </div>
      ))}
    </section>
  );
}
