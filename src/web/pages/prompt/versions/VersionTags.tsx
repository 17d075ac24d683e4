import { useState } from 'react';
import { useAccess } from '../../../access/use-access.ts';
import { ConfirmDialog } from '../../../components/Dialog.tsx';
import { Icon } from '../../../components/Icon.tsx';
import { toast } from '../../../components/toasts.tsx';
import { send } from '../../../data/request.ts';
import { useChange } from '../../../data/use-change.ts';
import { deletePromptTag, setPromptTag } from '../generated/prompt.ts';
import type { PromptHead, Version } from '../prompt-head.ts';
import { TagChip } from '../TagChip.tsx';
import { SetTag } from './SetTag.tsx';

interface VersionTagsProps {
  readonly prompt: PromptHead;
  readonly version: Version;
  readonly onChange: () => void;
}

/** Tags of a version, which a member may add, move here, and remove. */
export function VersionTags({ prompt, version, onChange }: VersionTagsProps) {
  const { may } = useAccess();
  const [isAdding, setAdding] = useState(false);
  const [removed, setRemoved] = useState<Version['tags'][number]>();
  const change = useChange();
  const canRemove = may(deletePromptTag);
  return (
    <span className="prompt-tags" role="group" aria-label="Tags">
      {version.tags.map((tag) => (
        <span key={tag.id} className="version-tag">
          <TagChip name={tag.name} />
          {canRemove && (
            <button
              type="button"
              className="button bare small icon-only"
              aria-label={`Remove the tag ${tag.name}`}
              onClick={() => {
                change.say(undefined);
                setRemoved(tag);
              }}
            >
              <Icon name="close" size={11} />
            </button>
          )}
        </span>
      ))}
      {may(setPromptTag) && (
        <button type="button" className="button bare small" onClick={() => setAdding(true)}>
          <Icon name="plus" size={12} /> Tag
        </button>
      )}
      {isAdding && <SetTag prompt={prompt} version={version} onClose={() => setAdding(false)} onDone={onChange} />}
      {removed && (
        <ConfirmDialog
          title={`Remove the tag ${removed.name}?`}
          isOpen
          onClose={() => setRemoved(undefined)}
          consequence="Applications that read the version with this tag will fail until it is set again."
          action="Remove tag"
          isBusy={change.isBusy}
          problem={change.problem}
          onConfirm={() =>
            void change.run(
              () => send(deletePromptTag, { id: removed.id }),
              () => {
                setRemoved(undefined);
                toast(`Tag ${removed.name} removed.`);
                onChange();
              },
            )
          }
        />
      )}
    </span>
  );
}
