import { boundsText, type Draft } from '../../../components/annotations/annotation-draft.ts';
import { formatScore } from '../../../components/annotations/format-score.ts';
import type { AnnotationConfig } from '../../../components/annotations/use-annotations.ts';
import { TextAreaField } from '../../../components/fields.tsx';
import '../../../components/annotations/annotations.css';

interface AnnotationFieldsProps {
  /** Undefined for free text. Label and score then have no constraints. */
  readonly config: AnnotationConfig | undefined;
  readonly draft: Draft;
  readonly onChange: (draft: Draft) => void;
}

/** Fields of an annotation by a config, before it is saved. */
export function AnnotationFields({ config, draft, onChange }: AnnotationFieldsProps) {
  const change = (part: Partial<Draft>) => onChange({ ...draft, ...part });
  return (
    <>
      {config?.__typename === 'CategoricalAnnotationConfig' ? (
        <div className="annotation-labels" role="group" aria-label={config.name}>
          {config.values.map(({ label, score }) => (
            <button
              key={label}
              type="button"
              className="button small"
              aria-pressed={draft.label === label}
              onClick={() => change({ label, score: score === null ? '' : String(score) })}
            >
              <span className="clip">{label}</span>
              {score !== null && <span className="muted">{formatScore(score)}</span>}
            </button>
          ))}
        </div>
      ) : (
        <div className="row">
          {!config && (
            <label className="field grow">
              <span>Label</span>
              <input
                className="input"
                value={draft.label}
                onChange={(event) => change({ label: event.target.value })}
              />
            </label>
          )}
          {config?.__typename !== 'FreeformAnnotationConfig' && (
            <label className="field grow">
              <span>
                Score <span className="muted">{config && boundsText(config.lowerBound, config.upperBound)}</span>
              </span>
              <input
                className="input"
                inputMode="decimal"
                value={draft.score}
                onChange={(event) => change({ score: event.target.value })}
              />
            </label>
          )}
        </div>
      )}
      <TextAreaField
        label={config?.__typename === 'FreeformAnnotationConfig' ? 'Text' : 'Explanation'}
        dir="auto"
        rows={2}
        value={draft.explanation}
        onChange={(value) => change({ explanation: value })}
      />
    </>
  );
}
