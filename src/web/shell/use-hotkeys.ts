import { useEffect, useRef } from 'react';

/** Keys as people say them: `mod+k`, `?`, `]`, `escape`. Without `mod` they do nothing while somebody types. */
export type Hotkeys = Readonly<Record<string, (event: KeyboardEvent) => void>>;

export function useHotkeys(hotkeys: Hotkeys): void {
  const latest = useRef(hotkeys);
  latest.current = hotkeys;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.altKey) return;
      const isMod = event.metaKey || event.ctrlKey;
      if (!isMod && (isTyping(event.target) || isInDialog(event.target))) return;
      const run =
        latest.current[(isMod ? 'mod+' : '') + (isMod || event.key === 'Escape' ? event.key.toLowerCase() : event.key)];
      if (!run) return;
      event.preventDefault();
      run(event);
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

const isInDialog = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest('[role=dialog], [role=menu]') !== null;

/** Whether `mod` is the command key here. */
export const isMac = (): boolean => /Mac|iPhone|iPad/.test(navigator.platform);
