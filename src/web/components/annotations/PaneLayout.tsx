import { type ReactNode, useEffect, useRef } from 'react';
import './pane-layout.css';

interface PaneLayoutProps {
  /** Undefined: the content has all the room. */
  readonly pane: ReactNode | undefined;
  readonly children: ReactNode;
}

/** Content with a pane beside it, or below where there is no room for both; neither covers the other. */
export function PaneLayout({ pane, children }: PaneLayoutProps) {
  const content = useRef<HTMLDivElement>(null);
  const isOpen = pane !== undefined;
  useEffect(() => {
    if (!isOpen) return;
    const opener = document.activeElement;
    return () => {
      // The focus goes back where it was; what was there may be gone.
      if (document.activeElement !== document.body) return;
      const target =
        opener instanceof HTMLElement && opener !== document.body && opener.isConnected
          ? opener
          : content.current?.querySelector<HTMLElement>('[role=tree], [tabindex="0"]');
      target?.focus({ preventScroll: true });
    };
  }, [isOpen]);
  return (
    <div className="pane-layout">
      <div className="pane-grid">
        <div className="pane-content" ref={content}>
          {children}
        </div>
        {pane}
      </div>
    </div>
  );
}
