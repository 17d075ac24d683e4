import { CopyButton } from '../../components/CopyButton.tsx';
import { Icon } from '../../components/Icon.tsx';
import { Tooltip } from '../../components/Tooltip.tsx';
import { setPreference, usePreferences } from '../../preferences/preferences.ts';
import { navigate } from '../../router/location.ts';
import { linkToView } from '../../time-range/time-range.ts';
import { type OrderEntry, toStep, type useTraceOrder } from './order/trace-order.ts';

interface TraceActionsProps {
  readonly order: ReturnType<typeof useTraceOrder>;
}

/** Buttons for the previous and next row and for a link to this view. */
export function StepActions({ order }: TraceActionsProps) {
  return (
    <>
      <StepButton label="Previous" keys="K" entry={order.previous} icon="up" />
      <StepButton label="Next" keys="J" entry={order.next} icon="down" />
      <CopyButton label="Copy link to this view" icon="link" text={linkToView} />
    </>
  );
}

/** Switches between a full page and a drawer over the table. */
export function PlaceButton() {
  const { tracePlace } = usePreferences();
  const isPage = tracePlace === 'page';
  const label = isPage ? 'Show traces beside the table' : 'Show traces on a full page';
  return (
    <Tooltip text={label}>
      <button
        type="button"
        className="button small icon-only"
        aria-label={label}
        onClick={() => setPreference('tracePlace', isPage ? 'drawer' : 'page')}
      >
        <Icon name={isPage ? 'panelRight' : 'expand'} size={13} />
      </button>
    </Tooltip>
  );
}

interface StepProps {
  readonly label: string;
  readonly keys: string;
  readonly entry: OrderEntry | undefined;
  readonly icon: 'up' | 'down';
}

function StepButton({ label, keys, entry, icon }: StepProps) {
  if (!entry) return null;
  return (
    <Tooltip
      text={
        <>
          {label} <kbd>{keys}</kbd>
        </>
      }
    >
      <button
        type="button"
        className="button small icon-only"
        aria-label={label}
        onClick={() => navigate(toStep(entry), { replaces: true })}
      >
        <Icon name={icon} size={13} />
      </button>
    </Tooltip>
  );
}
