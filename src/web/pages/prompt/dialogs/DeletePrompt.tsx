import { ConfirmDialog } from '../../../components/Dialog.tsx';
import { toast } from '../../../components/toasts.tsx';
import { send } from '../../../data/request.ts';
import { useChange } from '../../../data/use-change.ts';
import { formatCount } from '../../../format/numbers.ts';
import { promptList } from '../../prompts/generated/prompts.ts';
import { deletePrompt } from '../generated/prompt.ts';

interface DeletePromptProps {
  readonly prompt: { readonly id: string; readonly name: string; readonly versionCount: number };
  readonly onClose: () => void;
  readonly onDone: () => void;
}

export function DeletePrompt({ prompt: { id, name, versionCount }, onClose, onDone }: DeletePromptProps) {
  const change = useChange([promptList]);
  const versions = versionCount === 1 ? 'its only version' : `all ${formatCount(versionCount)} versions`;
  return (
    <ConfirmDialog
      title={`Delete ${name}?`}
      isOpen
      onClose={onClose}
      consequence={`This deletes the prompt with ${versions} and their tags. Applications that read it will fail. You cannot undo it.`}
      action="Delete prompt"
      isBusy={change.isBusy}
      problem={change.problem}
      onConfirm={() =>
        void change.run(
          () => send(deletePrompt, { id }),
          () => {
            onClose();
            toast(`${name} deleted.`);
            onDone();
          },
        )
      }
    />
  );
}
