import type { KeyboardEvent, PointerEvent } from 'react';
import { Icon } from '../../components/Icon.tsx';
import { useStoredState } from '../../preferences/stored-state.ts';
import { navigate } from '../../router/location.ts';
import type { RouteParams } from '../../router/match-route.ts';
import { useHotkeys } from '../../shell/use-hotkeys.ts';
import { toStep, useTraceOrder } from './order/trace-order.ts';
import { PlaceButton, StepActions } from './TraceActions.tsx';
import { TraceView } from './TraceView.tsx';
import { useTrace } from './use-trace.ts';
import './drawer.css';
import { shownName } from '../../format/names.ts';

const WIDTH_MIN = 380;
/** Width of the table that stays visible. */
const TABLE_MIN = 120;
const isWidth = (value: unknown): value is number => typeof value === 'number' && value >= WIDTH_MIN;

/** Trace in a drawer over the table that it was opened from. */
export function TraceDrawer({ params }: { readonly params: RouteParams }) {
  const { projectId = '', traceId = '' } = params;
  const open = useTrace(projectId, traceId);
  const order = useTraceOrder();
  const [width, setWidth] = useStoredState<number>('trace.drawer-width', 0, isWidth);
  const step = (entry: typeof order.next) => entry && navigate(toStep(entry), { replaces: true });
  const close = () => {
    navigate(order.back);
    document.querySelector<HTMLElement>('.table')?.focus();
  };
  useHotkeys({ j: () => step(order.next), k: () => step(order.previous), escape: close });
  const fit = (wanted: number) =>
    setWidth(Math.round(Math.max(WIDTH_MIN, Math.min(wanted, window.innerWidth - TABLE_MIN))));
  return (
    <aside
      className="trace-drawer"
      aria-label="Trace"
      style={width >= WIDTH_MIN ? ({ '--drawer-width': `${width}px` } as React.CSSProperties) : undefined}
    >
      <DrawerEdge onWidth={fit} />
      <header className="drawer-head">
        <h2 className="clip grow" dir="auto" title={open.tree?.title()}>
          {shownName(open.tree?.title() ?? traceId.slice(0, 12))}
        </h2>
        <StepActions order={order} />
        <PlaceButton />
        <button
          type="button"
          className="button small icon-only"
          aria-label="Close the trace"
          title="Close (Esc)"
          onClick={close}
        >
          <Icon name="close" size={13} />
        </button>
      </header>
      <TraceView projectId={projectId} open={open} />
    </aside>
  );
}

function DrawerEdge({ onWidth }: { readonly onWidth: (width: number) => void }) {
  const drag = (event: PointerEvent<HTMLButtonElement>) => {
    const edge = event.currentTarget;
    edge.setPointerCapture(event.pointerId);
    const move = (moved: globalThis.PointerEvent) => onWidth(window.innerWidth - moved.clientX);
    edge.addEventListener('pointermove', move);
    edge.addEventListener('lostpointercapture', () => edge.removeEventListener('pointermove', move), { once: true });
  };
  const press = (event: KeyboardEvent<HTMLButtonElement>) => {
    const step = event.key === 'ArrowLeft' ? 32 : event.key === 'ArrowRight' ? -32 : 0;
    if (step === 0) return;
    event.preventDefault();
    onWidth(event.currentTarget.parentElement!.offsetWidth + step);
  };
  return (
    <button
      type="button"
      className="drawer-edge"
      aria-label="Width of the drawer"
      onPointerDown={drag}
      onKeyDown={press}
    />
  );
}
