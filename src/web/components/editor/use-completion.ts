import { type KeyboardEvent, type RefObject, useEffect, useState } from 'react';
import { findJsonPosition, type JsonPosition } from './json-position.ts';
import { type JsonShape, type JsonSuggestion, suggestJson } from './json-shape.ts';

/** Suggestions at the caret, and the one that Enter takes. */
interface Open {
  readonly position: JsonPosition;
  readonly suggestions: readonly JsonSuggestion[];
  readonly index: number;
  /** Window coordinates below the caret. */
  readonly left: number;
  readonly top: number;
}

export interface Completion {
  readonly open: Open | undefined;
  /** Called after the user has typed. */
  readonly onInput: () => void;
  /** Whether the key belonged to the list. */
  readonly onKeyDown: (event: KeyboardEvent<HTMLTextAreaElement>) => boolean;
  readonly close: () => void;
  readonly take: (suggestion: JsonSuggestion) => void;
}

/** A longer text is not searched for its position, because each key would search it again. */
const TEXT_CHARS_MAX = 100_000;

/**
 * Suggests names and values of a shape at the caret of a text area.
 *
 * @param copy Element with the same text, by which the position of the caret is measured.
 */
export function useCompletion(
  area: RefObject<HTMLTextAreaElement | null>,
  copy: RefObject<HTMLElement | null>,
  shape: JsonShape | undefined,
): Completion {
  const [open, setOpen] = useState<Open>();
  const isOpen = open !== undefined;
  const close = () => setOpen(undefined);
  // The list stands beside the caret, which moves when anything scrolls.
  useEffect(() => {
    if (!isOpen) return;
    const closeNow = ({ target }: Event) => {
      // The list itself scrolls too.
      if (!(target instanceof Element && target.role === 'listbox')) setOpen(undefined);
    };
    window.addEventListener('scroll', closeNow, true);
    window.addEventListener('resize', closeNow);
    return () => {
      window.removeEventListener('scroll', closeNow, true);
      window.removeEventListener('resize', closeNow);
    };
  }, [isOpen]);
  const show = (isRequested: boolean) => {
    const element = area.current;
    if (!element || !copy.current || !shape || element.value.length > TEXT_CHARS_MAX) return close();
    const caret = element.selectionStart;
    const position = caret === element.selectionEnd ? findJsonPosition(element.value, caret) : undefined;
    // Without a typed sign, the list would stand in the way of every new line.
    if (!position || (!isRequested && position.start === caret)) return close();
    const suggestions = suggestJson(shape, position);
    const isExact = suggestions.length === 1 && suggestions[0]!.label.replaceAll('"', '') === position.typed;
    if (suggestions.length === 0 || (isExact && !isRequested)) return close();
    setOpen({ position, suggestions, index: 0, ...caretPlace(copy.current, position.start) });
  };
  const take = ({ insert }: JsonSuggestion) => {
    const element = area.current;
    if (!element || !open) return;
    element.focus();
    element.setSelectionRange(open.position.start, open.position.end);
    // Unlike a new value, it can be undone with the keyboard.
    document.execCommand('insertText', false, insert);
    close();
  };
  return {
    ...{ open, close, take },
    onInput: () => show(false),
    onKeyDown(event) {
      if (event.key === ' ' && (event.ctrlKey || event.metaKey) && shape) {
        event.preventDefault();
        show(true);
        return true;
      }
      if (!open || event.nativeEvent.isComposing) return false;
      const { suggestions, index } = open;
      if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
        const step = event.key === 'ArrowDown' ? 1 : suggestions.length - 1;
        setOpen({ ...open, index: (index + step) % suggestions.length });
      } else if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) take(suggestions[index]!);
      else if (event.key === 'Escape') close();
      else {
        // The list belongs to the caret, which these keys move.
        if (/^(Arrow|Home|End|Page)/.test(event.key)) close();
        return false;
      }
      event.preventDefault();
      // Escape would also stop the run, or close the dialog.
      event.stopPropagation();
      event.nativeEvent.stopImmediatePropagation();
      return true;
    },
  };
}

/** Place below a character, as far as it fits into the window. */
function caretPlace(copy: HTMLElement, offset: number): { readonly left: number; readonly top: number } {
  const walker = document.createTreeWalker(copy, NodeFilter.SHOW_TEXT);
  let rest = offset;
  let node = walker.nextNode();
  while (node && rest > (node.textContent ?? '').length) {
    rest -= (node.textContent ?? '').length;
    node = walker.nextNode();
  }
  const range = document.createRange();
  if (node) range.setStart(node, rest);
  else range.selectNodeContents(copy);
  const { left, bottom } = range.getBoundingClientRect();
  return {
    left: Math.max(4, Math.min(left, window.innerWidth - LIST_PX)),
    top: Math.min(bottom, window.innerHeight - 120),
  };
}

/** Widest list. */
const LIST_PX = 348;
