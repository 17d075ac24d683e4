import type { KeyboardEvent, PointerEvent } from 'react';
import { WIDTH_MIN } from './column.ts';

/** The edge of a column's head: drag it, or press the arrow keys on it. */
export function ColumnGrip({ label, onWidth }: { readonly label: string; readonly onWidth: (width: number) => void }) {
  const drag = (event: PointerEvent<HTMLButtonElement>) => {
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
  const press = (event: KeyboardEvent<HTMLButtonElement>) => {
    const step = event.key === 'ArrowRight' ? 16 : event.key === 'ArrowLeft' ? -16 : 0;
    if (step === 0) return;
    event.preventDefault();
    onWidth(Math.max(WIDTH_MIN, event.currentTarget.parentElement!.offsetWidth + step));
  };
  return (
    <button
      type="button"
      className="table-grip"
      tabIndex={-1}
      aria-label={`Width of ${label}`}
      onPointerDown={drag}
      onKeyDown={press}
    />
  );
}
