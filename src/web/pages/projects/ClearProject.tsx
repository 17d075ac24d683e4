import { useState } from 'react';
import { FormDialog } from '../../components/FormDialog.tsx';
import type { Change } from '../../data/use-change.ts';
import { useTimeFormat } from '../../format/times.ts';
import { fromLocalText } from '../../time-range/zoned-text.ts';

interface ClearProjectProps {
  readonly name: string;
  readonly change: Change;
  readonly onClose: () => void;
  /** Traces that started before a time, or all traces. */
  readonly onClear: (endTime: string | null) => void;
}

/** Deletes all or only old traces of a project. The project stays. */
export function ClearProject({ name, change, onClose, onClear }: ClearProjectProps) {
  const { timeZone } = useTimeFormat();
  const [isAll, setAll] = useState(false);
  const [text, setText] = useState('');
  const time = fromLocalText(text, timeZone);
  return (
    <FormDialog
      title={`Delete traces of ${name}`}
      change={change}
      action={isAll ? 'Delete all traces' : 'Delete older traces'}
      isReady={isAll || time !== undefined}
      isDanger
      onSubmit={() => onClear(isAll ? null : new Date(time!).toISOString())}
      onClose={onClose}
    >
      <div className="dialog-form" role="radiogroup" aria-label="Traces to delete">
        <label className="row">
          <input type="radio" name="which" checked={!isAll} onChange={() => setAll(false)} />
          <span className="grow">Traces that started before</span>
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
          <span className="grow">All traces</span>
        </label>
      </div>
      <p>This deletes the traces with their spans and annotations. You cannot undo it. The project itself stays.</p>
    </FormDialog>
  );
}
