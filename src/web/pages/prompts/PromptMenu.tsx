import { useState } from 'react';
import { useAccess } from '../../access/use-access.ts';
import { ActionMenu } from '../../components/ActionMenu.tsx';
import { copyWithToast } from '../../components/CopyButton.tsx';
import { LabelDialog } from '../../components/labels/LabelMenu.tsx';
import { labelPrompt, PROMPT_LABELS } from '../../components/labels/label-kinds.ts';
import { invalidate } from '../../data/query-client.ts';
import { navigate } from '../../router/location.ts';
import { playgroundPath } from '../playground/state/paths.ts';
import { ClonePrompt } from '../prompt/dialogs/ClonePrompt.tsx';
import { DeletePrompt } from '../prompt/dialogs/DeletePrompt.tsx';
import { EditPrompt } from '../prompt/dialogs/EditPrompt.tsx';
import { clonePrompt, deletePrompt, patchPrompt } from '../prompt/generated/prompt.ts';
import type { PromptRow } from './prompt-row.ts';

interface PromptMenuProps {
  readonly prompt: Pick<PromptRow, 'id' | 'name' | 'description' | 'metadata' | 'labels' | 'versionCount'>;
  readonly onChanged: () => void;
  /** Called after the prompt was deleted. Default `onChanged`. */
  readonly onDeleted?: () => void;
}

/** Actions on a prompt. */
export function PromptMenu({ prompt, onChanged, onDeleted = onChanged }: PromptMenuProps) {
  const [asks, setAsks] = useState<'labels' | 'clone' | 'edit' | 'delete'>();
  const { may } = useAccess();
  const { id, name } = prompt;
  const close = () => setAsks(undefined);
  const canEdit = may(patchPrompt);
  return (
    <>
      <ActionMenu
        label={`Actions for ${name}`}
        actions={[
          { icon: 'copy', label: 'Copy ID', onSelect: () => void copyWithToast(id, 'ID copied.') },
          canEdit && {
            icon: 'playground',
            label: 'Open in playground',
            onSelect: () => navigate(playgroundPath({ promptId: id })),
          },
          canEdit && { icon: 'edit', label: 'Edit description and metadata', onSelect: () => setAsks('edit') },
          canEdit && { icon: 'check', label: 'Labels', onSelect: () => setAsks('labels') },
          may(clonePrompt) && { icon: 'plus', label: 'Clone', onSelect: () => setAsks('clone') },
          'line',
          may(deletePrompt) && {
            icon: 'trash',
            label: 'Delete prompt',
            isDanger: true,
            onSelect: () => setAsks('delete'),
          },
        ]}
      />
      {asks === 'labels' && (
        <LabelDialog
          title={`Labels of ${name}`}
          kind={PROMPT_LABELS}
          chosen={{ all: new Set(prompt.labels.map((label) => label.id)) }}
          onApply={(change) => labelPrompt(id, change).then(() => invalidate())}
          onDone={() => {
            close();
            onChanged();
          }}
          onClose={close}
        />
      )}
      {asks === 'edit' && <EditPrompt prompt={prompt} onClose={close} onDone={onChanged} />}
      {asks === 'clone' && <ClonePrompt prompt={prompt} onClose={close} />}
      {asks === 'delete' && <DeletePrompt prompt={prompt} onClose={close} onDone={onDeleted} />}
    </>
  );
}
