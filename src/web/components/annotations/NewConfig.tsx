import { useRef, useState } from 'react';
import { send } from '../../data/request.ts';
import { useChange } from '../../data/use-change.ts';
import { FormDialog } from '../FormDialog.tsx';
import { tell } from '../toasts.tsx';
import { ConfigFields } from './ConfigFields.tsx';
import { NEW_CONFIG, toConfigInput } from './config-draft.ts';
import { attachConfig } from './generated/annotations.ts';
import { saveConfig } from './save-config.ts';

interface NewConfigProps {
  readonly projectId: string;
  readonly onClose: () => void;
  /** Called with the ID of the new config. */
  readonly onAdded: (configId: string) => void;
}

/** Dialog that creates an annotation config and adds it to this project. */
export function NewConfig({ projectId, onClose, onAdded }: NewConfigProps) {
  const [draft, setDraft] = useState(NEW_CONFIG);
  const made = useRef<string>(undefined);
  const change = useChange();
  const submit = () => {
    const annotationConfig = toConfigInput(draft);
    if (typeof annotationConfig === 'string') return change.say(annotationConfig);
    void change.run(
      async () => {
        made.current = await saveConfig(made.current, annotationConfig);
        await send(attachConfig, { projectId, annotationConfigId: made.current });
      },
      () => {
        tell(`${draft.name.trim()} was added to this project.`);
        if (made.current !== undefined) onAdded(made.current);
        onClose();
      },
    );
  };
  return (
    <FormDialog title="New annotation config" change={change} onSubmit={submit} onClose={onClose}>
      <ConfigFields draft={draft} onChange={setDraft} />
    </FormDialog>
  );
}
