import { Editor } from '../editor/Editor.tsx';
import { RepetitionMark } from './ExamplePreview.tsx';
import { type PreviewedExample, SIDES, type Side } from './span-mapping.ts';

/** Texts of the sides that the user has edited. */
export type EditedSides = Readonly<Partial<Record<Side, string>>>;

interface ExampleEditorsProps {
  readonly example: PreviewedExample | undefined;
  readonly edited: EditedSides;
  readonly onEdit: (edited: EditedSides) => void;
}

export const toText = (value: unknown): string => JSON.stringify(value, undefined, 2);

/** Value of an edited side. Undefined unless the text is a JSON object. */
export function readObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Three editors that start with the content of the span. An edited side no longer follows the mapping. */
export function ExampleEditors({ example, edited, onEdit }: ExampleEditorsProps) {
  if (!example) return <div className="skeleton" style={{ height: 280 }} />;
  return (
    <section className="example-editors" aria-label="Example">
      <RepetitionMark of={example.repetition} />
      {SIDES.map((side) => {
        const text = edited[side] ?? toText(example[side]);
        const isWrong = readObject(text) === undefined;
        return (
          <div key={side}>
            <div className="row">
              <h3 className="grow">{side[0]?.toUpperCase() + side.slice(1)}</h3>
              {edited[side] !== undefined && (
                <button
                  type="button"
                  className="button bare small"
                  onClick={() => onEdit({ ...edited, [side]: undefined })}
                >
                  Reset
                </button>
              )}
            </div>
            <Editor
              label={`${side[0]?.toUpperCase() + side.slice(1)} as JSON`}
              language="json"
              value={text}
              onChange={(next) => onEdit({ ...edited, [side]: next })}
            />
            {isWrong && (
              <p className="error-text">
                The {side} must be a JSON object, such as {'{"question": "…"}'}.
              </p>
            )}
          </div>
        );
      })}
    </section>
  );
}
