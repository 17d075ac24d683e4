import { useEffect, useRef } from 'react';

/** Keys as people say them: `mod+k`, `shift+e`, `?`, `]`, `escape`. Without `mod` they do nothing while somebody types. */
export type Hotkeys = Readonly<Record<string, (event: KeyboardEvent) => void>>;

export function useHotkeys(hotkeys: Hotkeys): void {
  const latest = useRef(hotkeys);
  latest.current = hotkeys;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.altKey) return;
      const isMod = event.metaKey || event.ctrlKey;
      if (!isMod && (isTyping(event.target) || isInDialog(event.target))) return;
      const run = latest.current[nameOf(event, isMod)];
      if (!run) return;
      event.preventDefault();
      run(event);
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
}

/** Letters and Escape in small letters, whatever Caps Lock says; what needs Shift to be typed at all stays as typed. */
function nameOf({ key, shiftKey }: KeyboardEvent, isMod: boolean): string {
  const isLetter = /^[a-z]$/i.test(key);
  const name = isLetter || key === 'Escape' ? key.toLowerCase() : key;
  if (isMod) return `mod+${name}`;
  return isLetter && shiftKey ? `shift+${name}` : name;
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

const isInDialog = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest('[role=dialog], [role=menu]') !== null;

/** Whether `mod` is the command key here. */
export const isMac = (): boolean => /Mac|iPhone|iPad/.test(navigator.platform);
