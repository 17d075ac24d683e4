import { useState } from 'react';
import { formatCount } from '../../format/numbers.ts';
import { usePreferences } from '../../preferences/preferences.ts';
import { lazy } from '../lazy.tsx';
import './values.css';

const Markdown = lazy(async () => (await import('./Markdown.tsx')).Markdown, PlainText);

function PlainText({ text }: { readonly text: string }) {
  return (
    <div className="text-value" dir="auto">
      {text}
    </div>
  );
}

/** Shown at once; more on demand: a browser lays out some tens of thousands of characters without a pause. */
const CHARS_AT_FIRST = 12_000;
const CHARS_STEP = 200_000;

/** A text as it is, or read as markdown, as the person prefers. Nothing in it is run. */
export function TextView({ text, isCode = false }: { readonly text: string; readonly isCode?: boolean }) {
  const { textView } = usePreferences();
  const [count, setCount] = useState(CHARS_AT_FIRST);
  const shown = text.length > count ? text.slice(0, count) : text;
  if (text === '') return <span className="muted">empty</span>;
  return (
    <>
      {textView === 'markdown' && !isCode ? (
        <Markdown text={shown} />
      ) : (
        <div className={isCode ? 'text-value mono' : 'text-value'} dir={isCode ? undefined : 'auto'}>
          {shown}
        </div>
      )}
      {text.length > count && (
        <button type="button" className="button small" onClick={() => setCount(count + CHARS_STEP)}>
          {formatCount(text.length - count)} more characters
        </button>
      )}
    </>
  );
}
