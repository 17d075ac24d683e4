import { useMemo, useState } from 'react';
import { formatCount } from '../../../format/numbers.ts';
import { divideText, type TemplateTag } from './template-parts.ts';

interface TemplateTextProps {
  readonly text: string;
  readonly tags: readonly TemplateTag[];
}

/** Characters that are shown first, and that each click adds. */
const CHARS_AT_FIRST = 12_000;
const CHARS_STEP = 200_000;

const TITLES: Readonly<Record<TemplateTag['kind'], (name: string) => string>> = {
  VARIABLE: (name) => `Variable ${name}`,
  SECTION: (name) => `Section that repeats for each item of ${name}, or is shown if it has a value`,
  INVERTED: (name) => `Section that is shown if ${name} is empty or missing`,
  END: (name) => `End of the section ${name}`,
  COMMENT: () => 'Comment, which is not sent',
  ESCAPE: (name) => `The character ${name}`,
  INVALID: () => 'This is not a variable of the template format',
};

/** A text of a template with its variables and sections marked. */
export function TemplateText({ text, tags }: TemplateTextProps) {
  const [count, setCount] = useState(CHARS_AT_FIRST);
  const parts = useMemo(() => divideText(text, tags, count), [text, tags, count]);
  if (text === '') return <span className="muted">Empty</span>;
  return (
    <>
      <div className="text-value template-text" dir="auto">
        {parts.map(({ text: part, tag }, index) =>
          tag === undefined ? (
            part
          ) : (
            <bdi
              // biome-ignore lint/suspicious/noArrayIndexKey: a part is identified by its position
              key={index}
              className="template-tag"
              data-kind={tag.kind.toLowerCase()}
              title={TITLES[tag.kind](tag.name)}
            >
              {part}
            </bdi>
          ),
        )}
      </div>
      {text.length > count && (
        <button type="button" className="button small" onClick={() => setCount(count + CHARS_STEP)}>
          Show {formatCount(Math.min(CHARS_STEP, text.length - count))} more characters
        </button>
      )}
    </>
  );
}
