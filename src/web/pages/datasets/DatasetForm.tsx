import { useState } from 'react';
import { Editor } from '../../components/editor/Editor.tsx';
import { findJsonProblem } from '../../components/editor/json-problem.ts';
import { FormDialog } from '../../components/FormDialog.tsx';
import { InputField, TextAreaField } from '../../components/fields.tsx';
import { toast } from '../../components/toasts.tsx';
import { send } from '../../data/request.ts';
import { useChange } from '../../data/use-change.ts';
import type { DatasetRow } from './dataset-row.ts';
import { createDataset, patchDataset } from './generated/datasets.ts';

interface DatasetFormProps {
  /** The dataset to change. Absent for a new one. */
  readonly dataset?: Pick<DatasetRow, 'id' | 'name' | 'description' | 'metadata'>;
  readonly onClose: () => void;
  /** Called with the ID of the dataset. */
  readonly onSaved: (id: string) => void;
}

/** Creates a dataset without examples, or changes name, description and metadata of a dataset. */
export function DatasetForm({ dataset, onClose, onSaved }: DatasetFormProps) {
  const [name, setName] = useState(dataset?.name ?? '');
  const [description, setDescription] = useState(dataset?.description ?? '');
  const [metadata, setMetadata] = useState(() => JSON.stringify(dataset?.metadata ?? {}, null, 2));
  const change = useChange();
  const problem = metadataProblem(metadata);
  const submit = () => {
    if (problem !== undefined) return change.say(problem);
    const fields = { name: name.trim(), description: description.trim() || null, metadata: JSON.parse(metadata) };
    let id = dataset?.id ?? '';
    void change.run(
      async () => {
        if (dataset) await send(patchDataset, { input: { datasetId: dataset.id, ...fields } });
        else id = (await send(createDataset, { input: fields })).createDataset.dataset.id;
      },
      () => {
        toast(dataset ? `${fields.name} saved.` : `${fields.name} created.`);
        onClose();
        onSaved(id);
      },
    );
  };
  return (
    <FormDialog
      title={dataset ? `Edit ${dataset.name}` : 'New dataset'}
      change={change}
      action={dataset ? 'Save' : 'Create dataset'}
      isReady={name.trim() !== ''}
      onSubmit={submit}
      onClose={onClose}
    >
      <InputField label="Name" dir="auto" value={name} onChange={setName} />
      <TextAreaField label="Description" dir="auto" rows={2} value={description} onChange={setDescription} />
      <div className="field">
        <span>Metadata</span>
        <Editor label="Metadata" language="json" value={metadata} onChange={setMetadata} />
      </div>
    </FormDialog>
  );
}

function metadataProblem(text: string): string | undefined {
  const found = findJsonProblem(text);
  if (found) return `The metadata is not JSON: ${found.message}`;
  const value: unknown = JSON.parse(text);
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? undefined : 'The metadata must be a JSON object, such as {"team": "support"}.';
}
