import { useState } from 'react';
import { Editor } from '../../../components/editor/Editor.tsx';
import { findJsonProblem } from '../../../components/editor/json-problem.ts';
import { FormDialog } from '../../../components/FormDialog.tsx';
import { InputField } from '../../../components/fields.tsx';
import { toast } from '../../../components/toasts.tsx';
import { send } from '../../../data/request.ts';
import { useChange } from '../../../data/use-change.ts';
import { saveExamples } from './generated/examples.ts';
import { type ExampleTexts, FIELDS, type Field } from './pending-changes.ts';

interface AddExampleProps {
  readonly datasetId: string;
  readonly onAdded: () => void;
  readonly onClose: () => void;
}

const EMPTY: ExampleTexts = { input: '{\n  \n}', output: '{\n  \n}', metadata: '{}' };
const LABELS: Readonly<Record<Field, string>> = { input: 'Input', output: 'Output (expected)', metadata: 'Metadata' };

const isObjectText = (text: string): boolean => findJsonProblem(text) === undefined && /^\s*\{/.test(text);

/** Adds examples by hand, one or several after another. Each is a version. */
export function AddExample({ datasetId, onAdded, onClose }: AddExampleProps) {
  const [texts, setTexts] = useState(EMPTY);
  const [externalId, setExternalId] = useState('');
  const [addsMore, setAddsMore] = useState(false);
  const [round, setRound] = useState(0);
  const change = useChange([]);
  const wrong = FIELDS.filter((field) => !isObjectText(texts[field]));
  const submit = () =>
    void change.run(
      () =>
        send(saveExamples, {
          input: {
            datasetId,
            additions: [{ ...texts, externalId: externalId.trim() || null }],
            versionDescription: 'Added by hand',
          },
        }),
      () => {
        toast('Example added.');
        onAdded();
        if (!addsMore) return onClose();
        setTexts(EMPTY);
        setExternalId('');
        setRound(round + 1);
      },
    );
  return (
    <FormDialog
      title="Add an example"
      change={change}
      action="Add example"
      isReady={wrong.length === 0}
      className="example-form"
      onSubmit={submit}
      onClose={onClose}
    >
      {FIELDS.map((field, index) => (
        <div className="field" key={`${field} ${round}`}>
          <span>{LABELS[field]}</span>
          <Editor
            label={LABELS[field]}
            language="json"
            value={texts[field]}
            onChange={(text) => setTexts((before) => ({ ...before, [field]: text }))}
            hasFocusAtFirst={index === 0}
          />
        </div>
      ))}
      <InputField
        label="ID (optional)"
        hint="A later upload with the same ID updates the example."
        value={externalId}
        onChange={setExternalId}
      />
      <label className="row">
        <input type="checkbox" checked={addsMore} onChange={() => setAddsMore(!addsMore)} /> Create more
      </label>
    </FormDialog>
  );
}
