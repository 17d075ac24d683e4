import { useSyncExternalStore } from 'react';
import { Icon } from './Icon.tsx';
import './toasts.css';

interface Toast {
  readonly id: number;
  readonly isFailure: boolean;
  readonly text: string;
  readonly action?: { readonly label: string; readonly run: () => void } | undefined;
}

const SHOWN_MS = 5_000;
let toasts: readonly Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function change(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

/** Says that something was done; goes by itself. */
export function tell(text: string, action?: Toast['action']): void {
  const id = ++lastId;
  change([...toasts, { id, isFailure: false, text, action }]);
  setTimeout(() => dismiss(id), SHOWN_MS);
}

/** Says that something failed; stays until it is dismissed. */
export function tellFailure(text: string): void {
  change([...toasts, { id: ++lastId, isFailure: true, text }]);
}

const dismiss = (id: number) => change(toasts.filter((toast) => toast.id !== id));

export function Toasts() {
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    () => toasts,
  );
  return (
    <div className="toasts" role="region" aria-label="Messages" aria-live="polite">
      {shown.map(({ id, isFailure, text, action }) => (
        <div key={id} className={isFailure ? 'toast bad' : 'toast'} role={isFailure ? 'alert' : 'status'}>
          <span className="grow">{text}</span>
          {action && (
            <button type="button" className="button small" onClick={action.run}>
              {action.label}
            </button>
          )}
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
