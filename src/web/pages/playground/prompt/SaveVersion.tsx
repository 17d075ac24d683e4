import { useState } from 'react';
import { FormDialog } from '../../../components/FormDialog.tsx';
import type { Variant } from '../../../components/prompt/variant/variant.ts';
import { fingerprintOf, toVersionInput } from '../../../components/prompt/variant/version-input.ts';
import { toast } from '../../../components/toasts.tsx';
import { Switch } from '../../../components/values/Card.tsx';
import { send } from '../../../data/request.ts';
import { useChange } from '../../../data/use-change.ts';
import { TextField } from '../../settings/fields.tsx';
import {
  type CreatePlaygroundVersionVariables,
  createPlaygroundPrompt,
  createPlaygroundVersion,
} from '../generated/playground.ts';

interface SaveVersionProps {
  readonly variant: Variant;
  readonly letter: string;
  readonly onSaved: (variant: Variant) => void;
  readonly onClose: () => void;
}

type VersionInput = CreatePlaygroundVersionVariables['input']['promptVersion'];

const TARGETS = [
  ['version', 'New version'],
  ['prompt', 'New prompt'],
] as const;

const NAME = /^[a-z0-9]([_a-z0-9-]*[a-z0-9])?$/;

/** Saves a variant as the next version of its prompt, or as the first version of another one. */
export function SaveVersion({ variant, letter, onSaved, onClose }: SaveVersionProps) {
  const { source } = variant;
  const [target, setTarget] = useState<'version' | 'prompt'>(source ? 'version' : 'prompt');
  const [name, setName] = useState(source ? `${source.promptName}-copy` : '');
  const [description, setDescription] = useState('');
  const [tags, setTags] = useState('');
  const change = useChange();
  const tagNames = tags.split(/[\s,]+/).filter((tag) => tag !== '');
  const isNew = target === 'prompt' || source === null;
  const wrongTag = tagNames.find((tag) => !NAME.test(tag));
  const submit = () => {
    const promptVersion = {
      ...toVersionInput(variant),
      ...(description.trim() !== '' && { description: description.trim() }),
    } as unknown as VersionInput;
    const tagInputs = tagNames.length === 0 ? {} : { tags: tagNames.map((tag) => ({ name: tag })) };
    let saved: Variant = variant;
    void change.run(
      async () => {
        const prompt = isNew
          ? (await send(createPlaygroundPrompt, { input: { name, promptVersion, ...tagInputs } })).createChatPrompt
          : (
              await send(createPlaygroundVersion, {
                input: { promptId: source.promptId, promptVersion, ...tagInputs },
              })
            ).createChatPromptVersion;
        saved = {
          ...variant,
          source: {
            promptId: prompt.id,
            versionId: prompt.version.id,
            tagName: null,
            promptName: prompt.name,
            sequenceNumber: prompt.version.sequenceNumber,
            fingerprint: fingerprintOf(variant),
          },
        };
      },
      () => {
        onSaved(saved);
        onClose();
        toast(`${saved.source!.promptName} saved as version ${saved.source!.sequenceNumber}.`);
      },
    );
  };
  return (
    <FormDialog
      title={`Save ${letter}`}
      change={change}
      action={isNew ? 'Create prompt' : 'Save version'}
      isReady={(!isNew || NAME.test(name)) && wrongTag === undefined}
      onSubmit={submit}
      onClose={onClose}
    >
      {source && <Switch label="Save as" values={TARGETS} value={target} onChange={setTarget} />}
      {isNew ? (
        <TextField
          label="Name"
          value={name}
          onChange={setName}
          hint="Lower-case letters, digits, dashes and underscores; the latter two not at the ends."
        />
      ) : (
        <p>
          The next version of <strong dir="auto">{source.promptName}</strong>, after version {source.sequenceNumber}.
        </p>
      )}
      <TextField
        label="Description"
        value={description}
        onChange={setDescription}
        placeholder="Change and reason"
        hasFocusAtFirst={source !== null}
      />
      <TextField
        label="Tags"
        value={tags}
        onChange={setTags}
        placeholder="staging, production"
        hint={
          wrongTag === undefined
            ? 'A tag points to one version of a prompt, so it moves here from another version.'
            : `“${wrongTag}” is not a valid tag.`
        }
      />
    </FormDialog>
  );
}
