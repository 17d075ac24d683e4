import { useState } from 'react';
import { FormDialog } from '../../../components/FormDialog.tsx';
import { tell } from '../../../components/toasts.tsx';
import { send } from '../../../data/request.ts';
import { useChange } from '../../../data/use-change.ts';
import { formatCount } from '../../../format/numbers.ts';
import type { BulkDialogProps } from './bulk.ts';
import { annotateSpans, annotateTraces } from './generated/bulk.ts';

/** Says the same of every row: of spans, or of traces where these are listed. */
export function AnnotateRows({ isOfTraces, selected, onClose, onDone }: BulkDialogProps) {
  const [name, setName] = useState('');
  const [label, setLabel] = useState('');
  const [score, setScore] = useState('');
  const [explanation, setExplanation] = useState('');
  const change = useChange();
  const ids = isOfTraces ? selected.traceIds : selected.spanIds;
  const noun = isOfTraces ? 'trace' : 'span';
  const count = `${formatCount(ids.length)} ${noun}${ids.length === 1 ? '' : 's'}`;
  const submit = () => {
    const number = score.trim() === '' ? null : Number(score);
    if (number !== null && !Number.isFinite(number)) return change.say('The score is a number.');
    if (label.trim() === '' && number === null) return change.say('Say a label, a score, or both.');
    const judgement = {
      name: name.trim(),
      label: label.trim() || null,
      score: number,
      explanation: explanation.trim() || null,
      annotatorKind: 'HUMAN',
      source: 'APP',
      metadata: {},
      identifier: 'interface',
    } as const;
    void change.run(
      () =>
        isOfTraces
          ? send(annotateTraces, { input: ids.map((traceId) => ({ ...judgement, traceId })) })
          : send(annotateSpans, { input: ids.map((spanId) => ({ ...judgement, spanId })) }),
      () => {
        tell(`${count} annotated.`);
        onDone();
      },
    );
  };
  return (
    <FormDialog
      title={`Annotate ${count}`}
      change={change}
      action={`Annotate ${count}`}
      isReady={name.trim() !== ''}
      onSubmit={submit}
      onClose={onClose}
    >
      <label className="field">
        <span>Name</span>
        <input className="input" required value={name} onChange={(event) => setName(event.target.value)} />
      </label>
      <div className="row">
        <label className="field grow">
          <span>Label</span>
          <input className="input" value={label} onChange={(event) => setLabel(event.target.value)} />
        </label>
        <label className="field grow">
          <span>Score</span>
          <input
            className="input"
            inputMode="decimal"
            value={score}
            onChange={(event) => setScore(event.target.value)}
          />
        </label>
      </div>
      <label className="field">
        <span>Explanation</span>
        <textarea
          className="input"
          rows={2}
          value={explanation}
          onChange={(event) => setExplanation(event.target.value)}
        />
      </label>
    </FormDialog>
  );
}
