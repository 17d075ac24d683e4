import { useState } from 'react';
import { Editor } from '../../../components/editor/Editor.tsx';
import { findJsonProblem } from '../../../components/editor/json-problem.ts';
import { FormDialog } from '../../../components/FormDialog.tsx';
import { Switch } from '../../../components/values/Card.tsx';
import { useChange } from '../../../data/use-change.ts';
import { useQuery } from '../../../data/use-query.ts';
import { formatCount } from '../../../format/numbers.ts';
import { shownPath } from './example-columns.tsx';
import { exampleKeys } from './generated/examples.ts';
import type { PendingChanges } from './pending-store.ts';

interface EditSelectedProps {
  readonly datasetId: string;
  readonly exampleIds: readonly string[];
  readonly pending: PendingChanges;
  readonly onClose: () => void;
}

/** Sets the same value at a path of all selected examples. */
export function EditSelected({ datasetId, exampleIds, pending, onClose }: EditSelectedProps) {
  const [path, setPath] = useState('metadata.');
  const [text, setText] = useState('');
  const [language, setLanguage] = useState<'json' | 'text'>('text');
  const change = useChange([]);
  const { data } = useQuery(exampleKeys, { id: datasetId, versionId: null });
  const keys = data?.node.__typename === 'Dataset' ? data.node.exampleKeys : [];
  const known = keys.find((key) => shownPath(key.path) === path.trim());
  const parts = known?.path ?? path.trim().split('.');
  const isPath = /^(input|output|metadata)$/.test(parts[0] ?? '') && parts.length > 1 && !parts.includes('');
  const isReady = isPath && (language === 'text' || findJsonProblem(text) === undefined);
  return (
    <FormDialog
      title={`Set a value of ${formatCount(exampleIds.length)} ${exampleIds.length === 1 ? 'example' : 'examples'}`}
      change={change}
      action="Apply"
      isReady={isReady}
      className="example-form"
      onSubmit={() => {
        pending.add({
          kind: 'set',
          exampleIds,
          path: parts,
          value: language === 'text' ? JSON.stringify(text) : text,
        });
        onClose();
      }}
      onClose={onClose}
    >
      <label className="field">
        <span>Path</span>
        <input
          className="input mono"
          list="example-paths"
          value={path}
          // biome-ignore lint/a11y/noAutofocus: first field of a dialog
          autoFocus
          onChange={(event) => setPath(event.target.value)}
          aria-invalid={!isPath}
        />
        <span className="muted">
          input, output or metadata, then keys, such as metadata.topic. Missing keys are added.
        </span>
        <datalist id="example-paths">
          {keys.map((key) => (
            <option key={JSON.stringify(key.path)} value={shownPath(key.path)} />
          ))}
        </datalist>
      </label>
      <Switch
        label="Format"
        values={[
          ['text', 'Plain text'],
          ['json', 'JSON'],
        ]}
        value={language}
        onChange={setLanguage}
      />
      <Editor label="Value" language={language} value={text} onChange={setText} />
    </FormDialog>
  );
}
