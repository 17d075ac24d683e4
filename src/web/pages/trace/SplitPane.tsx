import type { KeyboardEvent, PointerEvent, ReactNode } from 'react';
import { useStoredState } from '../../preferences/stored-state.ts';

const LEFT_MIN = 280;
/** Minimum width of the span, unless both panes do not fit. */
const RIGHT_MIN = 480;
const isWidth = (value: unknown): value is number => typeof value === 'number' && value >= LEFT_MIN;

interface SplitPaneProps {
  /** Name of the left pane. Each name has its own width. */
  readonly name: string;
  readonly left: ReactNode;
  readonly right: ReactNode;
}

/** Two panes with a draggable divider. The width of the left pane is stored. */
export function SplitPane({ name, left, right }: SplitPaneProps) {
  const [width, setWidth] = useStoredState<number>(`trace.${name}-width`, 0, isWidth);
  const fit = (element: HTMLElement, wanted: number) =>
    setWidth(Math.round(Math.max(LEFT_MIN, Math.min(wanted, element.parentElement!.offsetWidth - RIGHT_MIN))));
  const drag = (event: PointerEvent<HTMLButtonElement>) => {
    const edge = event.currentTarget;
    edge.setPointerCapture(event.pointerId);
    const { left: start } = edge.parentElement!.getBoundingClientRect();
    const move = (moved: globalThis.PointerEvent) => fit(edge, moved.clientX - start);
    edge.addEventListener('pointermove', move);
    edge.addEventListener('lostpointercapture', () => edge.removeEventListener('pointermove', move), { once: true });
  };
  const press = (event: KeyboardEvent<HTMLButtonElement>) => {
    const step = event.key === 'ArrowRight' ? 24 : event.key === 'ArrowLeft' ? -24 : 0;
    if (step === 0) return;
    event.preventDefault();
    fit(event.currentTarget, (event.currentTarget.previousElementSibling as HTMLElement).offsetWidth + step);
  };
  return (
    <div
      className={`trace of-${name}`}
      style={width >= LEFT_MIN ? ({ '--tree-width': `${width}px` } as React.CSSProperties) : undefined}
    >
      {left}
      <button
        type="button"
        className="divider"
        aria-label="Width of the left pane"
        onPointerDown={drag}
        onKeyDown={press}
      />
      {right}
    </div>
  );
}
