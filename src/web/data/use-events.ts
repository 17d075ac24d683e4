import { useEffect, useState } from 'react';
import { appUrl } from '../router/app-url.ts';

/** After a refusal; a connection that breaks is opened again by the browser itself. */
const AGAIN_MS = 5_000;

/**
 * When a project last changed, as the server tells it: empty when it has not since the server began, undefined until
 * it has told. While nobody sees the page there is
 * no stream: a browser has few connections to a server, and each tab would take one.
 */
export function useLastChange(projectId: string, isWanted: boolean): string | undefined {
  const [changedAt, setChangedAt] = useState<string>();
  useEffect(() => {
    if (!isWanted) return;
    let source: EventSource | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const close = () => {
      clearTimeout(timer);
      source?.close();
      source = undefined;
    };
    const open = () => {
      close();
      if (document.visibilityState !== 'visible') return;
      source = new EventSource(appUrl(`events?project=${encodeURIComponent(projectId)}`));
      source.addEventListener('change', ({ data }) => {
        const { last_changed_at: at } = JSON.parse(data) as { readonly last_changed_at: string | null };
        setChangedAt(at ?? '');
      });
      source.addEventListener('error', () => {
        if (source?.readyState === EventSource.CLOSED) timer = setTimeout(open, AGAIN_MS);
      });
    };
    open();
    document.addEventListener('visibilitychange', open);
    return () => {
      document.removeEventListener('visibilitychange', open);
      close();
    };
  }, [projectId, isWanted]);
  return changedAt;
}
