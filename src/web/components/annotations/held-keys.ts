import { isTyping } from '../../shell/use-hotkeys.ts';

// A user who annotates a queue by keys may press the next one before the next row has loaded. Such keys wait for the row.

interface Held {
  /** The row that is done. Keys wait for another one. */
  doneTarget: string;
  readonly keys: string[];
  timer: ReturnType<typeof setTimeout>;
}

/** Keys beyond this number are ignored. */
const KEY_COUNT_MAX = 50;
/** Time after which keys have their usual effect again, in case that no other row opens. */
const HOLD_MS_MAX = 15_000;

let held: Held | undefined;

/** Digits wait until another row than this one calls `replayKeys`. */
export function holdKeys(doneTarget: string): void {
  clearTimeout(held?.timer);
  held = { doneTarget, keys: held?.keys ?? [], timer: setTimeout(dropKeys, HOLD_MS_MAX) };
  // Before the listeners of the pane.
  window.addEventListener('keydown', onKey, true);
}

/** Drops waiting keys, because no other row opens. */
export function dropKeys(): void {
  clearTimeout(held?.timer);
  held = undefined;
  window.removeEventListener('keydown', onKey, true);
}

/** Presses the waiting keys on a row that is ready for them, one after another, until the row is done. */
export function replayKeys(target: string): void {
  if (!held || held.doneTarget === target) return;
  const key = held.keys.shift();
  if (key === undefined) {
    dropKeys();
    return;
  }
  window.removeEventListener('keydown', onKey, true);
  window.dispatchEvent(new KeyboardEvent('keydown', { key, cancelable: true }));
  if (held.doneTarget === target) return;
  window.addEventListener('keydown', onKey, true);
  // The next config of the row receives the next key once it is drawn.
  setTimeout(() => replayKeys(target));
}

function onKey(event: KeyboardEvent): void {
  const { key, altKey, ctrlKey, metaKey, repeat, target } = event;
  if (altKey || ctrlKey || metaKey || !/^[1-9]$/.test(key) || isTyping(target)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  if (!repeat && held && held.keys.length < KEY_COUNT_MAX) held.keys.push(key);
}
