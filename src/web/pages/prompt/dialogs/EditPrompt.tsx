import { useState } from 'react';
import { FormDialog } from '../../../components/FormDialog.tsx';
import { TextAreaField } from '../../../components/fields.tsx';
import { toast } from '../../../components/toasts.tsx';
import { send } from '../../../data/request.ts';
import { useChange } from '../../../data/use-change.ts';
import { patchPrompt } from '../generated/prompt.ts';
import { parseMetadata } from './parse-metadata.ts';

interface EditPromptProps {
  readonly prompt: {
    readonly id: string;
    readonly name: string;
    readonly description: string | null;
    readonly metadata: unknown;
  };
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Changes description and metadata of a prompt. Its name never changes, because applications contain it. */
export function EditPrompt({ prompt: { id, name, ...before }, onClose, onDone }: EditPromptProps) {
  const [description, setDescription] = useState(before.description ?? '');
  const [text, setText] = useState(() => JSON.stringify(before.metadata, null, 2));
  const change = useChange();
  const metadata = parseMetadata(text);
  return (
    <FormDialog
      title={`Edit ${name}`}
      change={change}
      isReady={metadata.problem === undefined}
      onSubmit={() =>
        void change.run(
          () =>
            send(patchPrompt, {
              input: { promptId: id, description: description.trim() || null, metadata: metadata.value },
            }),
          () => {
            onClose();
            toast('Prompt saved.');
            onDone();
          },
        )
      }
      onClose={onClose}
    >
      <TextAreaField label="Description" dir="auto" rows={3} value={description} onChange={setDescription} />
      <label className="field">
        <span>Metadata</span>
        <textarea
          className="input mono"
          rows={6}
          spellCheck={false}
          value={text}
          aria-invalid={metadata.problem !== undefined}
          aria-describedby="metadata-rule"
          onChange={(event) => setText(event.target.value)}
        />
        <span id="metadata-rule" className={metadata.problem === undefined ? 'muted' : 'error-text'}>
          {metadata.problem ?? 'A JSON object'}
        </span>
      </label>
    </FormDialog>
  );
}
