import { useCallback, useEffect, useReducer, useRef } from 'react';
import { addUnsavedCheck } from '../../data/unsaved-input.ts';
import { navigate } from '../../router/location.ts';
import { draftKey, writeAddress } from './state/address.ts';
import { changeDraft, type Draft, type DraftChange } from './state/draft.ts';
import { storeDraft } from './state/stored-drafts.ts';

/** Delay after the last key. */
const STORE_MS = 400;

/** Stores the draft that waits. Returns whether this browser keeps it. */
let storeNow: (() => boolean) | undefined;
// Closing the browser tab stores the draft, and asks only if it would be lost.
addUnsavedCheck(() => storeNow !== undefined && !storeNow());

/** Key of the address that this page has written itself. Such an address loads nothing. */
export const ownKey = { current: undefined as string | undefined };

/** The draft of the page. It is stored in this browser, and its prompts and dataset are in the address. */
export function useDraft(initial: Draft, path: string): readonly [Draft, (change: DraftChange) => void] {
  const [draft, change] = useReducer(changeDraft, initial);
  const isFirst = useRef(true);
  useEffect(() => {
    const search = writeAddress(draft);
    // Links to a span or an experiment keep their address, so that they can be shared, and links to a draft the draft.
    const current = new URLSearchParams(window.location.search);
    const isOwn = path === '/playground' && !current.has('experimentId') && !current.has('shared');
    const key = draftKey(path, isOwn ? search : current);
    if (isOwn && key !== draftKey(path, current)) {
      ownKey.current = key;
      navigate(`${path}${search.size === 0 ? '' : `?${search}`}`, { replaces: true });
    }
    if (isFirst.current) {
      isFirst.current = false;
      return;
    }
    const store = () => {
      storeNow = undefined;
      return storeDraft(localStorage, key, draft);
    };
    storeNow = store;
    const timer = setTimeout(store, STORE_MS);
    return () => clearTimeout(timer);
  }, [draft, path]);
  useEffect(() => () => void storeNow?.(), []);
  return [draft, useCallback((next: DraftChange) => change(next), [])];
}
