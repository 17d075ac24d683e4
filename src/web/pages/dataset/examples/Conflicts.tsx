import { useMemo, useState } from 'react';
import type { JsonObject } from '../../../../semconv/read-open-inference.ts';
import { Dialog } from '../../../components/Dialog.tsx';
import { JsonDiff } from '../../../components/diff/JsonDiff.tsx';
import { useTimeFormat } from '../../../format/times.ts';
import { shortId } from './example-columns.tsx';
import { changedFields, FIELDS, type Step } from './pending-changes.ts';
import type { PendingChanges } from './pending-store.ts';
import type { Conflict } from './SaveChanges.tsx';

interface ConflictsProps {
  readonly conflicts: readonly Conflict[];
  readonly pending: PendingChanges;
  readonly onClose: () => void;
}

/** Shows examples that another user has changed, with both contents. The user decides for each. */
export function Conflicts({ conflicts, pending, onClose }: ConflictsProps) {
  const [index, setIndex] = useState(0);
  const conflict = conflicts[index];
  const { short } = useTimeFormat();
  if (!conflict) return null;
  const { example, content, version } = conflict;
  const decide = (steps: readonly Step[]) => {
    pending.replace(steps);
    if (index + 1 < conflicts.length) setIndex(index + 1);
    else onClose();
  };
  const mine = () =>
    decide(
      pending.steps.map((step) =>
        step.kind === 'edit' && step.exampleId === example.id && content
          ? { ...step, revisionId: content.revisionId }
          : step,
      ),
    );
  const who = version?.user?.username ?? 'Another user';
  return (
    <Dialog title="Another user has changed the example" isOpen isRequired isWide onClose={onClose}>
      <p>
        {who} has {content ? 'changed' : 'deleted'}{' '}
        <strong dir="auto">{example.externalId ?? shortId(example.id)}</strong>
        {version && ` at ${short(version.createdAt)}`}
        {version?.description && ` (“${version.description}”)`} after you had opened it. Nothing is saved yet.
        {conflicts.length > 1 && ` Example ${index + 1} of ${conflicts.length}.`}
      </p>
      {content && <BothContents conflict={conflict} pending={pending} />}
      <div className="dialog-actions">
        <button type="button" className="button" onClick={onClose}>
          Decide later
        </button>
        <button type="button" className="button" onClick={() => decide(without(pending.steps, example.id))}>
          {content ? 'Keep theirs' : 'Drop my change'}
        </button>
        {content && (
          <button type="button" className="button primary" onClick={mine}>
            Keep mine
          </button>
        )}
      </div>
    </Dialog>
  );
}

/** Steps without those of an example. */
export const without = (steps: readonly Step[], id: string): readonly Step[] =>
  steps.flatMap((step): readonly Step[] => {
    if (step.kind === 'edit') return step.exampleId === id ? [] : [step];
    if (step.kind === 'add') return [step];
    const exampleIds = step.exampleIds.filter((each) => each !== id);
    return exampleIds.length === 0 ? [] : [{ ...step, exampleIds }];
  });

function BothContents({ conflict, pending }: { readonly conflict: Conflict; readonly pending: PendingChanges }) {
  const { example, content } = conflict;
  const [theirs, mine] = useMemo(() => {
    const texts = content!;
    const changed = { ...texts, ...changedFields(pending.collected, example.id, texts) };
    const parse = (all: typeof texts): JsonObject =>
      Object.fromEntries(FIELDS.map((field) => [field, JSON.parse(all[field])]));
    return [parse(texts), parse(changed)];
  }, [content, pending.collected, example.id]);
  return <JsonDiff noun="Values" left={theirs} right={mine} labels={{ left: 'Theirs', right: 'Yours' }} />;
}
