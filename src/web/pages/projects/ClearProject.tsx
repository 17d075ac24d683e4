import { useState } from 'react';
import { FormDialog } from '../../components/FormDialog.tsx';
import type { Change } from '../../data/use-change.ts';
import { useTimeFormat } from '../../format/times.ts';
import { fromLocalText } from '../../time-range/zoned-text.ts';

interface ClearProjectProps {
  readonly name: string;
  readonly change: Change;
  readonly onClose: () => void;
  /** Those that start before a time, or all. */
  readonly onClear: (endTime: string | null) => void;
}

/** Removes what a project holds, or what is old of it; the project stays. */
export function ClearProject({ name, change, onClose, onClear }: ClearProjectProps) {
  const { timeZone } = useTimeFormat();
  const [isAll, setAll] = useState(false);
  const [text, setText] = useState('');
  const time = fromLocalText(text, timeZone);
  return (
    <FormDialog
      title={`Remove traces of ${name}`}
      change={change}
      action={isAll ? 'Remove all traces' : 'Remove older traces'}
      isReady={isAll || time !== undefined}
      isDanger
      onSubmit={() => onClear(isAll ? null : new Date(time!).toISOString())}
      onClose={onClose}
    >
      <div className="dialog-form" role="radiogroup" aria-label="Which traces">
        <label className="row">
          <input type="radio" name="which" checked={!isAll} onChange={() => setAll(false)} />
          <span className="grow">Those that started before</span>
        </label>
        <input
          className="input"
          type="datetime-local"
          step={1}
          aria-label="Started before"
          disabled={isAll}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <label className="row">
          <input type="radio" name="which" checked={isAll} onChange={() => setAll(true)} />
          <span className="grow">All of them</span>
        </label>
      </div>
      <p>Traces go with their spans and annotations. This cannot be undone; the project itself stays.</p>
    </FormDialog>
  );
}
