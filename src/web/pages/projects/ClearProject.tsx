import { useState } from 'react';
import { Dialog } from '../../components/Dialog.tsx';
import { useTimeFormat } from '../../format/times.ts';
import { fromLocalText } from '../../time-range/zoned-text.ts';

interface ClearProjectProps {
  readonly name: string;
  readonly isBusy: boolean;
  readonly problem: string | undefined;
  readonly onClose: () => void;
  /** Those that start before a time, or all. */
  readonly onClear: (endTime: string | undefined) => void;
}

/** Removes what a project holds, or what is old of it; the project stays. */
export function ClearProject({ name, isBusy, problem, onClose, onClear }: ClearProjectProps) {
  const { timeZone } = useTimeFormat();
  const [isAll, setAll] = useState(false);
  const [text, setText] = useState('');
  const time = fromLocalText(text, timeZone);
  const action = isAll ? 'Remove all traces' : 'Remove older traces';
  return (
    <Dialog title={`Remove traces of ${name}`} isOpen onClose={onClose}>
      <div className="project-form" role="radiogroup" aria-label="Which traces">
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
      {problem !== undefined && (
        <p className="error-text" role="alert">
          {problem}
        </p>
      )}
      <div className="dialog-actions">
        <button type="button" className="button" onClick={onClose}>
          Cancel
        </button>
        <button
          type="button"
          className="button danger"
          disabled={isBusy || (!isAll && time === undefined)}
          onClick={() => onClear(isAll ? undefined : new Date(time!).toISOString())}
        >
          {action}
        </button>
      </div>
    </Dialog>
  );
}
