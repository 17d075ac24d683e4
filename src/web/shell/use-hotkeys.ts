import { useEffect, useEffectEvent } from 'react';

/** Handlers by key: `mod+k`, `mod+shift+Enter`, `shift+e`, `?`, `]`, `escape`. Keys without `mod` are ignored while the user types. */
export type Hotkeys = Readonly<Record<string, (event: KeyboardEvent) => void>>;

interface HotkeyOptions {
  /** Whether these keys have priority over those of other components, such as Escape in an open pane. Default false. */
  readonly isFirst?: boolean;
  /** Whether these keys also work in a text field. Default false. */
  readonly worksInFields?: boolean;
}

type Layer = () => Hotkeys;

const firstLayers = new Set<Layer>();
const fieldLayers = new Set<Layer>();
const layers = new Set<Layer>();
window.addEventListener('keydown', onKey);

/**
 * Keys that work wherever the focus is, except in a text field, dialog or menu, and Enter on a button or link. At most one
 * handler receives a key.
 */
export function useHotkeys(hotkeys: Hotkeys, options: HotkeyOptions = {}): void {
  const { isFirst = false, worksInFields = false } = options;
  const layer = useEffectEvent(() => hotkeys);
  useEffect(() => {
    const all = isFirst ? firstLayers : layers;
    all.add(layer);
    if (worksInFields) fieldLayers.add(layer);
    return () => {
      all.delete(layer);
      fieldLayers.delete(layer);
    };
  }, [isFirst, worksInFields]);
}

function onKey(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.altKey) return;
  const isMod = event.metaKey || event.ctrlKey;
  if (!isMod && isInDialog(event.target)) return;
  const name = nameOf(event, isMod);
  if (name === 'Enter' && event.target instanceof HTMLElement && event.target.closest('a[href], button, summary'))
    return;
  for (const layer of !isMod && isTyping(event.target) ? fieldLayers : [...firstLayers, ...layers]) {
    const hotkeys = layer();
    if (!Object.hasOwn(hotkeys, name)) continue;
    event.preventDefault();
    hotkeys[name]!(event);
    return;
  }
}

/** Lowercases letters and Escape, regardless of Caps Lock. Characters that need Shift stay as typed. Named keys tell Shift with `mod`. */
function nameOf({ key, shiftKey }: KeyboardEvent, isMod: boolean): string {
  const isLetter = /^[a-z]$/i.test(key);
  const name = isLetter || key === 'Escape' ? key.toLowerCase() : key;
  if (isMod) return shiftKey && key.length > 1 ? `mod+shift+${name}` : `mod+${name}`;
  return isLetter && shiftKey ? `shift+${name}` : name;
}

/** Types of inputs without text. */
const NO_TEXT = /^(button|checkbox|color|file|image|radio|range|reset|submit)$/;

/** Whether the focused element accepts text. A select element counts, because letters search in it. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return !NO_TEXT.test(target.type);
  return target.isContentEditable || /^(TEXTAREA|SELECT)$/.test(target.tagName);
}

const isInDialog = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest('[role=dialog], [role=menu]') !== null;

/** Whether `mod` is the Command key. */
export const isMac = (): boolean => /Mac|iPhone|iPad/.test(navigator.platform);
