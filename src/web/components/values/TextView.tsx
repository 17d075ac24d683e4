import { useDeferredValue, useState } from 'react';
import { formatCount } from '../../format/numbers.ts';
import { usePreferences } from '../../preferences/preferences.ts';
import { lazy } from '../lazy.tsx';
import { fitsMarkdown } from './fits-markdown.ts';
import './values.css';

const Markdown = lazy(async () => (await import('./Markdown.tsx')).Markdown, PlainText);

function PlainText({ text }: { readonly text: string }) {
  return (
    <div className="text-value" dir="auto">
      {text}
    </div>
  );
}

/**
 * Number of characters that are shown first, and that each click adds. A browser lays out 12,000 characters without a
 * pause.
 */
const CHARS_AT_FIRST = 12_000;
const CHARS_STEP = 200_000;
/** A longer text appears unformatted first, so that a long conversation is readable before all of it has been parsed. */
const PROMPT_CHARS_MAX = 1_000;

/** A text, plain or as Markdown, as the user prefers. Nothing in it is executed. */
export function TextView({ text, isCode = false }: { readonly text: string; readonly isCode?: boolean }) {
  const { textView } = usePreferences();
  const [count, setCount] = useState(CHARS_AT_FIRST);
  const shown = text.length > count ? text.slice(0, count) : text;
  if (text === '') return <span className="muted">Empty</span>;
  return (
    <>
      {isCode && <div className="text-value mono">{shown}</div>}
      {!isCode && (textView === 'markdown' ? <MarkdownText text={shown} /> : <PlainText text={shown} />)}
      {text.length > count && (
        <button type="button" className="button small" onClick={() => setCount(count + CHARS_STEP)}>
          Show {formatCount(Math.min(CHARS_STEP, text.length - count))} more characters
        </button>
      )}
    </>
  );
}

function MarkdownText({ text }: { readonly text: string }) {
  // React renders a deferred value in slices, so a growing text never blocks the page for longer than one parse.
  const parsed = useDeferredValue(text, text.length > PROMPT_CHARS_MAX ? undefined : text);
  if (parsed === undefined) return <PlainText text={text} />;
  return fitsMarkdown(parsed) ? <Markdown text={parsed} /> : <PlainText text={parsed} />;
}
