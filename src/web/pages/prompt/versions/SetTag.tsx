import { useState } from 'react';
import { FormDialog } from '../../../components/FormDialog.tsx';
import { toast } from '../../../components/toasts.tsx';
import { send } from '../../../data/request.ts';
import { useChange } from '../../../data/use-change.ts';
import { useQuery } from '../../../data/use-query.ts';
import { formatAge } from '../../../format/ages.ts';
import { promptTagMoves, setPromptTag } from '../generated/prompt.ts';
import type { PromptHead, Version } from '../prompt-head.ts';

interface SetTagProps {
  readonly prompt: PromptHead;
  readonly version: Pick<Version, 'id' | 'sequenceNumber'>;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

const NAME = /^[a-z0-9]([_a-z0-9-]*[a-z0-9])?$/;
const USUAL = ['production', 'staging', 'development'] as const;

/** Tags a version. If another version has the tag, the dialog says from which one it moves. */
export function SetTag({ prompt, version, onClose, onDone }: SetTagProps) {
  const [name, setName] = useState('');
  const change = useChange();
  const { data } = useQuery(promptTagMoves, { id: prompt.id });
  const before = prompt.versionTags.find((tag) => tag.name === name);
  const isHere = before?.version.id === version.id;
  const moves = data?.node.__typename === 'Prompt' ? data.node.tagMoves : [];
  const last = before && moves.find(({ tagName }) => tagName === name);
  const isNameWrong = name !== '' && !NAME.test(name);
  const names = [...new Set([...prompt.versionTags.map((tag) => tag.name), ...USUAL])];
  const submit = () =>
    void change.run(
      () =>
        send(setPromptTag, {
          input: { promptVersionId: version.id, name, description: before?.description ?? null },
        }),
      () => {
        onClose();
        toast(`Version ${version.sequenceNumber} has the tag ${name}.`);
        onDone();
      },
    );
  return (
    <FormDialog
      title={`Tag version ${version.sequenceNumber}`}
      change={change}
      action={before && !isHere ? 'Move tag' : 'Add tag'}
      isReady={name !== '' && !isNameWrong && !isHere}
      onSubmit={submit}
      onClose={onClose}
    >
      <label className="field">
        <span>Tag</span>
        <input
          className="input"
          list="prompt-tag-names"
          value={name}
          aria-invalid={isNameWrong}
          aria-describedby="tag-rule"
          onChange={(event) => setName(event.target.value)}
        />
        <datalist id="prompt-tag-names">
          {names.map((each) => (
            <option key={each} value={each} />
          ))}
        </datalist>
        <span id="tag-rule" className={isNameWrong ? 'error-text' : 'muted'} aria-live="polite">
          {isNameWrong
            ? 'Lower-case letters, digits, dashes and underscores; the latter two not at the ends'
            : isHere
              ? 'This version has the tag already.'
              : before
                ? `The tag moves from version ${before.version.sequenceNumber}${setBy(last)} to version ${version.sequenceNumber}.`
                : 'A tag names one version. Applications read the version by its tag.'}
        </span>
      </label>
      <span className="row">
        {names.slice(0, 6).map((each) => (
          <button key={each} type="button" className="button small" onClick={() => setName(each)}>
            {each}
          </button>
        ))}
      </span>
    </FormDialog>
  );
}

interface Move {
  readonly user: { readonly username: string } | null;
  readonly movedAt: string;
}

/** Tags of older servers have no moves. */
const setBy = (move: Move | undefined): string =>
  move ? ` (set ${move.user ? `by ${move.user.username} ` : ''}${formatAge(move.movedAt)})` : '';
