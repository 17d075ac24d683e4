import { type KeyboardEvent, useId, useMemo, useRef } from 'react';
import { formatCount } from '../../format/numbers.ts';
import { lazy } from '../lazy.tsx';
import { Completions, optionId } from './Completions.tsx';
import type { EditorLanguage, EditorProblem, EditorProps } from './editor-props.ts';
import { formatJson } from './format-json.ts';
import { findJsonProblem } from './json-problem.ts';
import { toTokens } from './tokens.ts';
import { useCompletion } from './use-completion.ts';
import '../values/values.css';
import './editor.css';

/** A longer text has one color, because each key would color it again. */
const COLORED_CHARS_MAX = 40_000;
/** A longer text has no line numbers and scrolls in the text area. */
const GROWING_CHARS_MAX = 300_000;

/**
 * Editor of JSON, code or plain text. It is a text area over its colored text, so that undo, spell checks, input methods and
 * screen readers work as everywhere. Tab moves the focus on.
 */
export function TextEditor(props: EditorProps) {
  const { label, language, value, onChange, shape, isReadOnly = false, hasFocusAtFirst = false } = props;
  const area = useRef<HTMLTextAreaElement>(null);
  const copy = useRef<HTMLPreElement>(null);
  const completion = useCompletion(area, copy, isReadOnly ? undefined : shape);
  const id = useId();
  const listId = useId();
  const isJson = language === 'json';
  const isCode = language !== 'text';
  const jsonProblem = useMemo(() => (isJson ? findJsonProblem(value) : undefined), [isJson, value]);
  const problem: EditorProblem | undefined = jsonProblem ?? props.problem;
  const isGrowing = value.length <= GROWING_CHARS_MAX;
  const showProblem = () => {
    area.current?.focus();
    const [start, end] = jsonProblem
      ? [jsonProblem.offset, jsonProblem.offset + 1]
      : rangeOfLine(value, problem?.line ?? 1);
    area.current?.setSelectionRange(start, end);
  };
  const replaceAll = (text: string) => {
    area.current?.focus();
    area.current?.select();
    insert(text);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (completion.onKeyDown(event)) return;
    if (event.key !== 'Enter' || !isCode || isReadOnly) return;
    if (event.metaKey || event.ctrlKey || event.altKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    insert(`\n${indentAfter(value.slice(0, event.currentTarget.selectionStart), language)}`);
  };
  return (
    <div className="editor-field" data-language={language}>
      <div className="editor" data-wrong={problem !== undefined} data-grows={isGrowing}>
        <div className="editor-text">
          {isCode && isGrowing && <LineNumbers text={value} wrongLine={problem?.line} />}
          {isGrowing && (
            <pre aria-hidden="true" ref={copy}>
              {isCode && value.length <= COLORED_CHARS_MAX ? <Colored text={value} language={language} /> : value}
              {/* The last line break of a text takes a line only if a character follows. */}{' '}
            </pre>
          )}
          <textarea
            ref={area}
            aria-label={label}
            aria-invalid={problem !== undefined}
            aria-describedby={problem ? id : undefined}
            value={value}
            readOnly={isReadOnly}
            // biome-ignore lint/a11y/noAutofocus: the user has opened the editor to write
            autoFocus={hasFocusAtFirst}
            spellCheck={!isCode}
            dir={isCode ? 'ltr' : 'auto'}
            {...(shape && { 'aria-autocomplete': 'list' as const, 'aria-haspopup': 'listbox' as const })}
            aria-controls={completion.open ? listId : undefined}
            aria-activedescendant={completion.open ? optionId(listId, completion.open.index) : undefined}
            onChange={({ currentTarget }) => {
              onChange(currentTarget.value);
              completion.onInput();
            }}
            onKeyDown={onKeyDown}
            onBlur={completion.close}
            onPointerDown={completion.close}
          />
          <Completions id={listId} completion={completion} />
        </div>
      </div>
      <div className="editor-foot">
        {problem ? (
          <span className="grow" role="alert" id={id}>
            <button type="button" className="editor-problem error-text" onClick={showProblem}>
              {positionOf(problem)}
              {problem.message}
            </button>
          </span>
        ) : (
          <span className="grow" />
        )}
        {isJson && !isReadOnly && (
          <button
            type="button"
            className="button bare small"
            disabled={jsonProblem !== undefined}
            onClick={() => replaceAll(formatJson(value))}
          >
            Format
          </button>
        )}
      </div>
    </div>
  );
}

const positionOf = (problem: EditorProblem & { readonly column?: number }): string => {
  if (problem.line === undefined) return '';
  const line = `Line ${formatCount(problem.line)}`;
  return problem.column === undefined ? `${line}: ` : `${line}, column ${formatCount(problem.column)}: `;
};

/** Start and end of a line that is counted from 1. */
function rangeOfLine(text: string, line: number): readonly [number, number] {
  const lines = text.split('\n');
  const start = lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0);
  return [start, start + (lines[line - 1]?.length ?? 0)];
}

interface LineNumbersProps {
  readonly text: string;
  readonly wrongLine: number | undefined;
}

/** Numbers beside an invisible copy of the lines, which wrap like those of the text area. */
function LineNumbers({ text, wrongLine }: LineNumbersProps) {
  return (
    <pre className="editor-numbers" aria-hidden="true">
      {text.split('\n').map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line is identified by its position
        <span key={index} data-wrong={index + 1 === wrongLine}>
          {line || ' '}
        </span>
      ))}
    </pre>
  );
}

/** The highlighter of code is larger than the editor. */
const ColoredCode = lazy(
  async () => (await import('./ColoredCode.tsx')).ColoredCode,
  ({ text }: { readonly text: string; readonly language: string }) => text,
);

function Colored({ text, language }: { readonly text: string; readonly language: EditorLanguage }) {
  return language === 'json' ? <ColoredJson text={text} /> : <ColoredCode text={text} language={language} />;
}

function ColoredJson({ text }: { readonly text: string }) {
  const tokens = useMemo(() => toTokens(text), [text]);
  return tokens.map(({ text: part, className }, index) =>
    className === undefined ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: tokens have no identity
      <span key={index} className={className}>
        {part}
      </span>
    ),
  );
}

/** Replaces the selection of the focused text area. Unlike a new value, it can be undone with the keyboard. */
const insert = (text: string): void => void document.execCommand('insertText', false, text);

/** Indentation of the line, and more after an opening bracket, or after the colon of Python. */
function indentAfter(before: string, language: EditorLanguage): string {
  const line = before.slice(before.lastIndexOf('\n') + 1);
  const indent = /^[ \t]*/.exec(line)![0];
  const isOpen = language === 'python' ? /[{[(:]\s*$/ : /[{[(]\s*$/;
  return isOpen.test(line) ? indent + (language === 'python' ? '    ' : '  ') : indent;
}
