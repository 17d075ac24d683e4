import { useEffect, useEffectEvent, useState } from 'react';
import { InputField, SelectField } from '../../../components/fields.tsx';
import { useTimeFormat } from '../../../format/times.ts';
import { setSearch } from '../../../router/location.ts';
import { fromLocalText, toLocalText } from '../../../time-range/zoned-text.ts';
import { type AuditFilter, isFiltered, NO_FILTER, RANGES } from './audit-filter.ts';
import { ACTION_NAMES } from './audit-names.ts';

const CUSTOM = 'custom';

/** Filters of the audit log, which are part of the address. */
export function AuditFilterBar({ filter }: { readonly filter: AuditFilter }) {
  const { action, outcome, range, from, until } = filter;
  const hasBounds = from !== undefined || until !== undefined;
  const [isCustom, setCustom] = useState(hasBounds);
  const chooseRange = (value: string) => {
    setCustom(value === CUSTOM);
    setSearch({ range: RANGES.has(value) ? value : null, from: null, until: null });
  };
  return (
    <search className="audit-filters" aria-label="Filters of the audit log">
      <TextFilter label="Person" name="person" value={filter.person} placeholder="Any person" />
      <TextFilter label="Target" name="target" value={filter.target} placeholder="Any target" />
      <SelectField label="Action" value={action ?? ''} onChange={(value) => setSearch({ action: value || null })}>
        <option value="">Any action</option>
        {[...ACTION_NAMES].map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </SelectField>
      <SelectField label="Outcome" value={outcome ?? ''} onChange={(value) => setSearch({ outcome: value || null })}>
        <option value="">Done and denied</option>
        <option value="DONE">Done</option>
        <option value="DENIED">Denied</option>
      </SelectField>
      <SelectField label="Time" value={isCustom || hasBounds ? CUSTOM : (range ?? '')} onChange={chooseRange}>
        <option value="">Any time</option>
        {[...RANGES].map(([value, { label }]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
        <option value={CUSTOM}>From and until…</option>
      </SelectField>
      {(isCustom || hasBounds) && (
        <>
          <TimeFilter label="From" name="from" time={from} />
          <TimeFilter label="Until" name="until" time={until} />
        </>
      )}
      {isFiltered(filter) && (
        <button
          type="button"
          className="button"
          onClick={() => {
            setCustom(false);
            setSearch(NO_FILTER);
          }}
        >
          Clear filters
        </button>
      )}
    </search>
  );
}

/** Pause after the last key before the list is read. */
const TYPING_MS = 300;

interface TextFilterProps {
  readonly label: string;
  readonly name: string;
  readonly value: string;
  readonly placeholder: string;
}

function TextFilter({ label, name, value, placeholder }: TextFilterProps) {
  const [text, setText] = useState(value);
  // The address changes also by going back, or when the filters are cleared.
  useEffect(() => setText(value), [value]);
  const apply = useEffectEvent((next: string) => {
    if (next !== value) setSearch({ [name]: next || null }, { replaces: true });
  });
  useEffect(() => {
    const timer = setTimeout(() => apply(text.trim()), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return <InputField label={label} value={text} placeholder={placeholder} spellCheck={false} onChange={setText} />;
}

/** End of the minutes in a local time. */
const MINUTES_END = 16;

interface TimeFilterProps {
  readonly label: string;
  readonly name: string;
  readonly time: number | undefined;
}

function TimeFilter({ label, name, time }: TimeFilterProps) {
  const { timeZone } = useTimeFormat();
  return (
    <label className="field audit-time">
      <span>{label}</span>
      <input
        type="datetime-local"
        className="input"
        defaultValue={toLocalText(time, timeZone).slice(0, MINUTES_END)}
        onChange={(event) => {
          const next = fromLocalText(event.target.value, timeZone);
          setSearch({ [name]: next === undefined ? null : new Date(next).toISOString() }, { replaces: true });
        }}
      />
    </label>
  );
}
