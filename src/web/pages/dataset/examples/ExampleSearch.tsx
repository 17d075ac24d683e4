import { useEffect, useRef, useState } from 'react';
import { Icon } from '../../../components/Icon.tsx';
import { setSearch } from '../../../router/location.ts';
import '../../../components/filter/filter.css';

const PAUSE_MS = 250;

/** Searches the texts of input, output and metadata. */
export function ExampleSearch({ value }: { readonly value: string }) {
  const [text, setText] = useState(value);
  const applied = useRef(value);
  useEffect(() => {
    if (value === applied.current) return;
    applied.current = value;
    setText(value);
  }, [value]);
  useEffect(() => {
    const next = text.trim();
    if (next === applied.current) return;
    const timer = setTimeout(() => {
      applied.current = next;
      setSearch({ filter: next || null }, { replaces: true });
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <div className="filter">
      <div className="filter-box">
        <Icon name="search" size={14} />
        <input
          className="filter-input"
          type="search"
          aria-label="Search examples"
          placeholder="Search input, output and metadata"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </div>
    </div>
  );
}
