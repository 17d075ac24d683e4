import { type ReactNode, useEffect, useRef } from 'react';
import './pane-layout.css';

interface PaneLayoutProps {
  /** Undefined when closed. The content then fills the layout. */
  readonly pane: ReactNode | undefined;
  readonly children: ReactNode;
}

/** Content with a pane beside it, or below it in a narrow window. Neither covers the other. */
export function PaneLayout({ pane, children }: PaneLayoutProps) {
  const content = useRef<HTMLDivElement>(null);
  const isOpen = pane !== undefined;
  useEffect(() => {
    if (!isOpen) return;
    const opener = document.activeElement;
    return () => {
      // Restores the previous focus, whose element may have been removed.
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
