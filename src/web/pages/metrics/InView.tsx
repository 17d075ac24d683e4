import { type ReactNode, useEffect, useRef, useState } from 'react';

interface InViewProps {
  /** Panels that it will hold: it takes their room at once. */
  readonly panelCount: number;
  readonly children: ReactNode;
}

/** Panels that are asked for when somebody scrolls to them. */
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
