import { useEffect, useRef, useSyncExternalStore } from 'react';
import { Icon } from './Icon.tsx';
import './toasts.css';

interface Toast {
  readonly id: number;
  readonly isFailure: boolean;
  readonly text: string;
  readonly action?: { readonly label: string; readonly run: () => void } | undefined;
  /** How often the message was sent while it was shown. */
  readonly count: number;
}

const SHOWN_MS = 5_000;
/** With more, the oldest are removed, so that the toasts do not fill the page. */
const SHOWN_COUNT_MAX = 3;
let toasts: readonly Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function change(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

/** Shows a toast. It replaces a shown toast with the same message. */
function show(toast: Omit<Toast, 'id' | 'count'>): number {
  const id = ++lastId;
  const isSame = ({ text, isFailure }: Toast) => text === toast.text && isFailure === toast.isFailure;
  const count = (toasts.find(isSame)?.count ?? 0) + 1;
  const others = toasts.filter((each) => !isSame(each)).slice(1 - SHOWN_COUNT_MAX);
  change([...others, { ...toast, id, count }]);
  return id;
}

/** Shows a message about a completed action. It disappears automatically. */
export function toast(text: string, action?: Toast['action']): void {
  const id = show({ isFailure: false, text, action });
  setTimeout(() => dismiss(id), SHOWN_MS);
}

/** Shows a message about a failure. It stays until the user dismisses it. */
export function toastFailure(text: string): void {
  show({ isFailure: true, text });
}

const dismiss = (id: number) => change(toasts.filter((toast) => toast.id !== id));

/** Toasts in a strip at the bottom of the window. They cover nothing. */
export function Toasts() {
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    () => toasts,
  );
  const strip = useRef<HTMLDivElement>(null);
  // Fixed elements, such as drawers and dialogs, end above the strip.
  useEffect(() => {
    const element = strip.current;
    if (!element) return;
    const { style } = document.documentElement;
    const observer = new ResizeObserver(() => style.setProperty('--toasts-height', `${element.offsetHeight}px`));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return (
    <div ref={strip} className="toasts" role="region" aria-label="Messages" aria-live="polite">
      {shown.map(({ id, isFailure, text, action, count }) => (
        <div key={id} className={isFailure ? 'toast bad' : 'toast'} role={isFailure ? 'alert' : 'status'}>
          <Icon name={isFailure ? 'error' : 'check'} size={14} />
          <span className="toast-text">{text}</span>
          {count > 1 && <span className="muted">{count} times</span>}
          {action && (
            <button type="button" className="button small" onClick={action.run}>
              {action.label}
            </button>
          )}
          <span className="grow" />
          <button
            type="button"
            className="button bare small icon-only"
            aria-label="Dismiss"
            onClick={() => dismiss(id)}
          >
            <Icon name="close" size={12} />
          </button>
        </div>
      ))}
    </div>
  );
}
