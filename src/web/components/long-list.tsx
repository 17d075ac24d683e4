import { type ReactNode, useState } from 'react';
import { formatCount } from '../format/numbers.ts';

/** Number of rows that are rendered at first and added per click. Users search long lists rather than scroll them. */
const SHOWN_COUNT = 100;
/** A shorter list needs no search field. */
const SEARCHED_COUNT_MIN = 9;

export interface LongList<Item> {
  /** Rendered items. */
  readonly shown: readonly Item[];
  /** Search field. Empty for short lists. */
  readonly search: ReactNode;
  /** Shown below the rows: the number of further rows, or that none match. */
  readonly rest: ReactNode;
}

/**
 * Searches a list by the text of its items and renders it in steps.
 *
 * @param noun Name of the items, in the plural.
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
        items.length > 0 && found.length === 0 && <span className="muted">No {noun} match the search.</span>
      ),
  };
}
