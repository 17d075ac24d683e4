import * as ariakit from '@ariakit/react';
import { type FormEvent, useState } from 'react';
import { CopyButton } from '../components/CopyButton.tsx';
import { Icon } from '../components/Icon.tsx';
import { useConnection } from '../data/connection.ts';
import { useIsStreamOpen } from '../data/streams/event-stream.ts';
import { useTimeFormat } from '../format/times.ts';
import { setPreference, usePreferences } from '../preferences/preferences.ts';
import {
  type ChosenRange,
  chooseRange,
  daysAt,
  describeLength,
  linkToView,
  PRESETS,
  panRange,
  parseDuration,
  useChosenRange,
  useRangeInAddress,
  zoomRange,
} from './time-range.ts';
import { fromLocalText, toLocalText } from './zoned-text.ts';
import './time-range.css';

/** Chooses the time range of a page, which is part of the address. */
export function TimeRangePicker({ hasLive = false }: { readonly hasLive?: boolean }) {
  useRangeInAddress();
  const range = useChosenRange();
  const canLive = range.kind === 'relative' || range.end === undefined;
  const store = ariakit.usePopoverStore({ placement: 'bottom-end' });
  const choose = (next: ChosenRange) => {
    store.hide();
    chooseRange(next);
  };
  return (
    <div className="range">
      {hasLive && <LiveButton canLive={canLive} />}
      <div className="range-steps">
        <Step icon="left" label="Earlier" onClick={() => chooseRange(panRange(range, Date.now(), -1))} />
        <Step icon="minus" label="Zoom out" onClick={() => chooseRange(zoomRange(range, Date.now(), 2))} />
        <Step icon="plus" label="Zoom in" onClick={() => chooseRange(zoomRange(range, Date.now(), 0.5))} />
        <Step
          icon="right"
          label="Later"
          isDisabled={range.kind === 'relative'}
          onClick={() => chooseRange(panRange(range, Date.now(), 1))}
        />
      </div>
      <ariakit.PopoverDisclosure store={store} className="button range-choice">
        <Icon name="clock" />
        <RangeLabel range={range} />
        <Icon name="down" size={12} />
      </ariakit.PopoverDisclosure>
      <ariakit.Popover
        store={store}
        className="popover range-popover"
        gutter={4}
        unmountOnHide
        portal
        aria-label="Time range"
      >
        <DurationField onChoose={choose} />
        <div className="range-presets">
          {PRESETS.map((preset) => (
            <button
              key={preset.key}
              type="button"
              className="menu-item button bare"
              aria-pressed={range.kind === 'relative' && range.ms === preset.ms}
              onClick={() => choose(preset)}
            >
              {describeLength(preset.ms)}
            </button>
          ))}
          <Days range={range} onChoose={choose} />
        </div>
        <CustomRange range={range} onChoose={choose} />
      </ariakit.Popover>
      <CopyButton label="Copy link to this view" icon="link" text={linkToView} />
    </div>
  );
}

/** Whether the page follows its project, which requires an open event stream. */
function LiveButton({ canLive }: { readonly canLive: boolean }) {
  const { isLive } = usePreferences();
  const isStreamOpen = useIsStreamOpen();
  const isOffline = useConnection() !== 'up';
  const isOn = isLive && canLive;
  return (
    <button
      type="button"
      className="button bare"
      aria-pressed={isOn}
      disabled={!canLive}
      title={
        !canLive
          ? 'New data does not change a range that has ended'
          : isOffline
            ? 'The server cannot be reached, so no new data arrives'
            : 'Show new data as it arrives'
      }
      onClick={() => setPreference('isLive', !isLive)}
    >
      <span className="live-dot" data-on={isOn && isStreamOpen && !isOffline} data-off={isOn && isOffline} />{' '}
      {isOn && isOffline ? 'Offline' : 'Live'}
    </button>
  );
}

interface StepProps {
  readonly icon: 'left' | 'right' | 'plus' | 'minus';
  readonly label: string;
  readonly isDisabled?: boolean;
  readonly onClick: () => void;
}

function Step({ icon, label, isDisabled = false, onClick }: StepProps) {
  return (
    <button
      type="button"
      className="button bare icon-only"
      aria-label={label}
      title={label}
      disabled={isDisabled}
      onClick={onClick}
    >
      <Icon name={icon} size={14} />
    </button>
  );
}

function RangeLabel({ range }: { readonly range: ChosenRange }) {
  const times = useTimeFormat();
  if (range.kind === 'fixed') return <span>{times.range(range.start, range.end)}</span>;
  return <span>{describeLength(range.ms)}</span>;
}

function Days({ range, onChoose }: Choose & { readonly range: ChosenRange }) {
  const { timeZone } = useTimeFormat();
  return daysAt(Date.now(), timeZone).map(({ label, range: day }) => (
    <button
      key={label}
      type="button"
      className="menu-item button bare"
      aria-pressed={range.kind === 'fixed' && range.start === day.start && range.end === day.end}
      onClick={() => onChoose(day)}
    >
      {label}
    </button>
  ));
}

type Choose = { readonly onChoose: (range: ChosenRange) => void };

function DurationField({ onChoose }: Choose) {
  const [text, setText] = useState('');
  const ms = parseDuration(text);
  const isWrong = text.trim() !== '' && ms === undefined;
  const submit = () => {
    if (ms !== undefined) onChoose({ kind: 'relative', key: text.trim().replaceAll(' ', ''), ms });
  };
  return (
    <input
      className="input"
      placeholder="25m, 2 hours, 3 days"
      aria-label="Duration until now"
      aria-invalid={isWrong}
      value={text}
      onChange={(event) => setText(event.target.value)}
      onKeyDown={(event) => event.key === 'Enter' && submit()}
    />
  );
}

function CustomRange({ range, onChoose }: Choose & { readonly range: ChosenRange }) {
  const { timeZone } = useTimeFormat();
  const [start, setStart] = useState(range.kind === 'fixed' ? toLocalText(range.start, timeZone) : '');
  const [end, setEnd] = useState(range.kind === 'fixed' ? toLocalText(range.end, timeZone) : '');
  const [startTime, endTime] = [fromLocalText(start, timeZone), fromLocalText(end, timeZone)];
  const isReversed = startTime !== undefined && endTime !== undefined && endTime <= startTime;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isReversed || (startTime === undefined && endTime === undefined)) return;
    onChoose({ kind: 'fixed', start: startTime, end: endTime });
  };
  return (
    <form onSubmit={submit}>
      <div className="range-bounds">
        <label className="field">
          <span>From</span>
          <input
            className="input"
            type="datetime-local"
            step={1}
            value={start}
            onChange={(e) => setStart(e.target.value)}
          />
        </label>
        <label className="field">
          <span>To</span>
          <input
            className="input"
            type="datetime-local"
            step={1}
            value={end}
            aria-invalid={isReversed}
            onChange={(e) => setEnd(e.target.value)}
          />
        </label>
      </div>
      {isReversed && (
        <p className="error-text" role="alert">
          The end must be after the start.
        </p>
      )}
      <div className="row">
        <span className="grow muted">{timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone}</span>
        <button type="submit" className="button primary" disabled={isReversed || (start === '' && end === '')}>
          Apply
        </button>
      </div>
    </form>
  );
}
