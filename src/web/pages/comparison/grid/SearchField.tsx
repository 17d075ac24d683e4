import { useEffect, useRef, useState } from 'react';
import { setSearch } from '../../../router/location.ts';

/** Pause after the last key before the rows are read. */
const PAUSE_MS = 250;

/** Searches inputs, references, outputs and errors. Continuous typing is one step of the browser history. */
export function SearchField({ value }: { readonly value: string }) {
  const [text, setText] = useState(value);
  const applied = useRef(value);
  const isTyping = useRef(false);
  // The user went back or followed a link.
  useEffect(() => {
    if (value === applied.current) return;
    applied.current = value;
    setText(value);
  }, [value]);
  useEffect(() => {
    if (text.trim() === applied.current) return;
    const timer = setTimeout(() => {
      applied.current = text.trim();
      setSearch({ search: text.trim() || null }, { replaces: isTyping.current });
      isTyping.current = true;
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <input
      className="input search-field"
      type="search"
      placeholder="Search texts"
      aria-label="Search inputs, references, outputs and errors"
      value={text}
      onChange={(event) => setText(event.target.value)}
      onBlur={() => {
        isTyping.current = false;
      }}
    />
  );
}
