import { type KeyboardEvent, useMemo } from 'react';
import { findTags, type TemplateSyntax } from '../../../../semconv/template-tags.ts';
import '../../editor/editor.css';

interface TemplateFieldProps {
  readonly label: string;
  readonly value: string;
  readonly format: TemplateSyntax;
  readonly placeholder?: string;
  readonly onChange: (value: string) => void;
  readonly onKeyDown?: (event: KeyboardEvent<HTMLTextAreaElement>) => void;
}

/** A longer text has one color, because each key would color it again. */
const COLORED_CHARS_MAX = 40_000;

/** Text of a template that grows with its lines. Its variables are marked while the user types. */
export function TemplateField({ label, value, format, placeholder, onChange, onKeyDown }: TemplateFieldProps) {
  const parts = useMemo(() => divide(value, format), [value, format]);
  return (
    <div className="editor-field" data-language="text">
      <div className="editor template-editor" data-grows="true">
        <div className="editor-text">
          <pre aria-hidden="true">
            {parts.map(({ text, kind }, index) =>
              kind === undefined ? (
                text
              ) : (
                // biome-ignore lint/suspicious/noArrayIndexKey: a part is identified by its position
                <span key={index} className="template-mark" data-kind={kind}>
                  {text}
                </span>
              ),
            )}{' '}
          </pre>
          <textarea
            aria-label={label}
            value={value}
            placeholder={placeholder}
            dir="auto"
            onChange={({ currentTarget }) => onChange(currentTarget.value)}
            onKeyDown={onKeyDown}
          />
        </div>
      </div>
    </div>
  );
}

function divide(text: string, format: TemplateSyntax) {
  const parts: { readonly text: string; readonly kind: string | undefined }[] = [];
  let from = 0;
  for (const { kind, start, end } of text.length > COLORED_CHARS_MAX ? [] : findTags(text, format)) {
    if (start > from) parts.push({ text: text.slice(from, start), kind: undefined });
    parts.push({ text: text.slice(start, end), kind });
    from = end;
  }
  parts.push({ text: text.slice(from), kind: undefined });
  return parts;
}
