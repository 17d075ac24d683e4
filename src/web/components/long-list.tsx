import { type ReactNode, useState } from 'react';
import { formatCount } from '../format/numbers.ts';

/** Rows that are drawn at first, and with each click on more: a long list is searched rather than read. */
const SHOWN_COUNT = 100;
/** A list that is seen at a glance needs no search. */
const SEARCHED_COUNT_MIN = 9;

export interface LongList<Item> {
  /** Those of the items that are drawn. */
  readonly shown: readonly Item[];
  /** A field that looks for a text in the items; nothing where there are few. */
  readonly search: ReactNode;
  /** In place of rows, or below them: that nothing was found, or how many more there are. */
  readonly rest: ReactNode;
}

/**
 * A list of any length: searched by what each item says, and drawn a part at a time.
 *
 * @param noun What the items are, in the plural.
 */
export function useLongList<Item>(
  items: readonly Item[],
  noun: string,
  textOf: (item: Item) => string,
): LongList<Item> {
  const [text, setText] = useState('');
  const [count, setCount] = useState(SHOWN_COUNT);
  const searchText = text.trim().toLowerCase();
  const found = searchText === '' ? items : items.filter((item) => textOf(item).toLowerCase().includes(searchText));
  const restCount = found.length - count;
  const label = `Search ${noun}`;
  return {
    shown: found.slice(0, count),
    search: (items.length >= SEARCHED_COUNT_MIN || text !== '') && (
      <input
        className="input long-list-search"
        aria-label={label}
        placeholder={label}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setCount(SHOWN_COUNT);
        }}
      />
    ),
    rest:
      restCount > 0 ? (
        <button type="button" className="button small" onClick={() => setCount(count + SHOWN_COUNT)}>
          Show {formatCount(Math.min(SHOWN_COUNT, restCount))} more of {formatCount(restCount)}
        </button>
      ) : (
        items.length > 0 &&
        found.length === 0 && <span className="muted">None of the {noun} has this in its name.</span>
      ),
  };
}
