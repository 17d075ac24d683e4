import type { KeyboardEvent, PointerEvent } from 'react';
import { WIDTH_MIN } from './column.ts';

interface ColumnGripProps {
  readonly label: string;
  /** Width in pixels. */
  readonly width: number;
  readonly onWidth: (width: number) => void;
}

/** Edge of a column header. Dragging it or pressing arrow keys changes the width. */
export function ColumnGrip({ label, width: shown, onWidth }: ColumnGripProps) {
  const drag = (event: PointerEvent<HTMLElement>) => {
    const grip = event.currentTarget;
    const from = event.clientX;
    const width = grip.parentElement!.offsetWidth;
    grip.setPointerCapture(event.pointerId);
    const move = (moved: globalThis.PointerEvent) =>
      onWidth(Math.max(WIDTH_MIN, Math.round(width + moved.clientX - from)));
    grip.addEventListener('pointermove', move);
    grip.addEventListener('lostpointercapture', () => grip.removeEventListener('pointermove', move), { once: true });
    event.preventDefault();
  };
  const press = (event: KeyboardEvent<HTMLElement>) => {
    const step = event.key === 'ArrowRight' ? 16 : event.key === 'ArrowLeft' ? -16 : 0;
    if (step === 0 || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    onWidth(Math.max(WIDTH_MIN, event.currentTarget.parentElement!.offsetWidth + step));
  };
  return (
    <div
      className="table-grip"
      role="separator"
      aria-orientation="vertical"
      aria-label={`Width of ${label}`}
      aria-valuenow={shown}
      aria-valuemin={WIDTH_MIN}
      tabIndex={0}
      draggable
      // Drags the edge, not the column.
      onDragStart={(event) => {
        event.preventDefault();
        event.stopPropagation();
      }}
      onPointerDown={drag}
      onKeyDown={press}
    />
  );
}
