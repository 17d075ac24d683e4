import { useState } from 'react';
import { FormDialog } from '../../../components/FormDialog.tsx';
import { SelectField, TextAreaField } from '../../../components/fields.tsx';
import { toast } from '../../../components/toasts.tsx';
import { send } from '../../../data/request.ts';
import { useChange } from '../../../data/use-change.ts';
import { useQuery } from '../../../data/use-query.ts';
import { navigate } from '../../../router/location.ts';
import { promptList } from '../../prompts/generated/prompts.ts';
import { promptPath } from '../../prompts/prompt-row.ts';
import { clonePrompt, promptVersionList } from '../generated/prompt.ts';

interface ClonePromptProps {
  readonly prompt: { readonly id: string; readonly name: string; readonly description: string | null };
  /** Version that is chosen first. Default all. */
  readonly versionId?: string;
  readonly onClose: () => void;
}

const NAME = /^[a-z0-9]([_a-z0-9-]*[a-z0-9])?$/;
const ALL = '';

/** Creates a prompt of another name with all versions of this one, or with one of them. */
export function ClonePrompt({ prompt, versionId: firstVersionId = ALL, onClose }: ClonePromptProps) {
  const [name, setName] = useState(`${prompt.name}-copy`);
  const [description, setDescription] = useState(prompt.description ?? '');
  const [versionId, setVersionId] = useState(firstVersionId);
  const change = useChange([promptList]);
  const { data } = useQuery(promptVersionList, { id: prompt.id, first: 200, after: null });
  const versions = data?.node.__typename === 'Prompt' ? data.node.promptVersions.edges : [];
  const isNameWrong = !NAME.test(name);
  const submit = () => {
    const input = {
      promptId: prompt.id,
      name,
      description: description.trim() || null,
      ...(versionId !== ALL && { promptVersionId: versionId }),
    };
    let id = '';
    void change.run(
      async () => {
        id = (await send(clonePrompt, { input })).clonePrompt.id;
      },
      () => {
        onClose();
        toast(`${prompt.name} cloned to ${name}.`);
        navigate(promptPath(id));
      },
    );
  };
  return (
    <FormDialog
      title={`Clone ${prompt.name}`}
      change={change}
      action="Clone prompt"
      isReady={!isNameWrong}
      onSubmit={submit}
      onClose={onClose}
    >
      <label className="field">
        <span>Name</span>
        <input
          className="input"
          value={name}
          aria-invalid={isNameWrong}
          aria-describedby="clone-name-rule"
          onChange={(event) => setName(event.target.value)}
        />
        <span id="clone-name-rule" className={isNameWrong ? 'error-text' : 'muted'}>
          Lower-case letters, digits, dashes and underscores; the latter two not at the ends
        </span>
      </label>
      <TextAreaField label="Description" dir="auto" rows={2} value={description} onChange={setDescription} />
      <SelectField label="Versions" value={versionId} onChange={setVersionId}>
        <option value={ALL}>All versions</option>
        {versions.map(({ node }) => (
          <option key={node.id} value={node.id}>
            Only version {node.sequenceNumber}
            {node.description ? `: ${node.description.slice(0, 60)}` : ''}
          </option>
        ))}
      </SelectField>
      <p className="muted">Tags and labels stay with {prompt.name}.</p>
    </FormDialog>
  );
}
