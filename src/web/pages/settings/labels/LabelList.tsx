import { useState } from 'react';
import { useAccess } from '../../../access/use-access.ts';
import { LabelChip } from '../../../components/labels/LabelChips.tsx';
import { LabelForm } from '../../../components/labels/LabelForm.tsx';
import type { Label } from '../../../components/labels/label.ts';
import { DATASET_LABELS, type LabelKind, PROMPT_LABELS, SPLITS } from '../../../components/labels/label-kinds.ts';
import { toast } from '../../../components/toasts.tsx';
import { formatCount } from '../../../format/numbers.ts';
import { RowActions, SettingsList } from '../SettingsList.tsx';
import './labels.css';

interface LabelListProps {
  readonly kind: LabelKind;
  readonly title: string;
  readonly about: string;
  /** Noun of the objects that have the labels. Absent for splits, whose use is not counted. */
  readonly usedBy?: 'dataset' | 'prompt';
  readonly consequence: string;
}

/** Labels of datasets and splits of examples. */
export const DatasetLabels = () => (
  <>
    <LabelList
      kind={DATASET_LABELS}
      title="Dataset labels"
      about="Labels group datasets and filter their list."
      usedBy="dataset"
      consequence="The label is removed from its datasets, which stay."
    />
    <LabelList
      kind={SPLITS}
      title="Splits"
      about="Splits divide the examples of datasets, for example into train and test."
      consequence="Its examples stay, but are no longer in this split."
    />
  </>
);

/** Labels of prompts. */
export const PromptLabels = () => (
  <LabelList
    kind={PROMPT_LABELS}
    title="Prompt labels"
    about="Labels group prompts and filter their list."
    usedBy="prompt"
    consequence="The label is removed from its prompts, which stay."
  />
);

/** Creates, changes and deletes the labels of one kind. */
function LabelList({ kind, title, about, usedBy, consequence }: LabelListProps) {
  const list = kind.useAll();
  const [edited, setEdited] = useState<Label | 'new'>();
  const { may } = useAccess();
  const { create, update, remove } = kind.operations;
  return (
    <SettingsList
      title={title}
      about={about}
      newLabel={`Create ${kind.noun}`}
      onNew={may(create) ? () => setEdited('new') : undefined}
      list={list}
      noun={kind.plural}
      textOf={({ name, description }) => `${name} ${description ?? ''}`}
      empty={`No ${kind.plural} yet. ${may(create) ? `Create one to use it.` : ''}`}
      row={(label) => (
        <li key={label.id} className="label-row">
          <span className="clip">
            <LabelChip label={label} />
          </span>
          <span className="muted clip" dir="auto">
            {label.description}
          </span>
          <span className="muted">{usedBy && usage(label.usageCount ?? 0, usedBy)}</span>
          <RowActions
            name={label.name}
            onEdit={may(update) ? () => setEdited(label) : undefined}
            onDelete={may(remove) ? () => kind.remove(label.id) : undefined}
            consequence={consequence}
            onDeleted={list.refetch}
          />
        </li>
      )}
    >
      {edited && (
        <LabelForm
          kind={kind}
          labels={list.items ?? []}
          {...(edited === 'new' ? {} : { label: edited })}
          onClose={() => setEdited(undefined)}
          onSaved={() => {
            toast(`The ${kind.noun} is saved.`);
            list.refetch();
          }}
        />
      )}
    </SettingsList>
  );
}

const usage = (count: number, noun: string): string => `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;
