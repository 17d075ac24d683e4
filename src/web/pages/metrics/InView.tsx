import { type ReactNode, useEffect, useRef, useState } from 'react';

interface InViewProps {
  /** Number of panels inside. Their space is reserved before they load. */
  readonly panelCount: number;
  readonly children: ReactNode;
}

/** Panels whose data is requested when the user scrolls to them. */
export function InView({ panelCount, children }: InViewProps) {
  const mark = useRef<HTMLElement>(null);
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    if (!mark.current) return;
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && setSeen(true), {
      rootMargin: '200px',
    });
    observer.observe(mark.current);
    return () => observer.disconnect();
  }, []);
  if (isSeen) return children;
  return Array.from({ length: panelCount }, (_, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: all the same
    <section key={index} className="card chart-card" ref={index === 0 ? mark : undefined} />
  ));
}
