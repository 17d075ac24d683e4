import { useState } from 'react';
import { useAccess } from '../../access/use-access.ts';
import { copyWithToast } from '../../components/CopyButton.tsx';
import { Icon } from '../../components/Icon.tsx';
import { LabelDialog } from '../../components/labels/LabelMenu.tsx';
import { labelPrompt, PROMPT_LABELS } from '../../components/labels/label-kinds.ts';
import { Menu, MenuItem, MenuLine } from '../../components/Menu.tsx';
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
      <Menu
        label={`Actions for ${name}`}
        button={
          <button type="button" className="button bare small icon-only">
            <Icon name="more" />
          </button>
        }
      >
        <MenuItem onSelect={() => void copyWithToast(id, 'ID copied.')}>
          <Icon name="copy" size={14} /> Copy ID
        </MenuItem>
        {canEdit && (
          <MenuItem onSelect={() => navigate(playgroundPath({ promptId: id }))}>
            <Icon name="playground" size={14} /> Open in playground
          </MenuItem>
        )}
        {canEdit && (
          <MenuItem onSelect={() => setAsks('edit')}>
            <Icon name="edit" size={14} /> Edit description and metadata
          </MenuItem>
        )}
        {canEdit && (
          <MenuItem onSelect={() => setAsks('labels')}>
            <Icon name="check" size={14} /> Labels
          </MenuItem>
        )}
        {may(clonePrompt) && (
          <MenuItem onSelect={() => setAsks('clone')}>
            <Icon name="plus" size={14} /> Clone
          </MenuItem>
        )}
        {may(deletePrompt) && <MenuLine />}
        {may(deletePrompt) && (
          <MenuItem isDanger onSelect={() => setAsks('delete')}>
            <Icon name="trash" size={14} /> Delete prompt
          </MenuItem>
        )}
      </Menu>
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
