import { useState } from 'react';
import { EMPTY_DRAFT, isEmpty, toAnnotationValue } from '../../../components/annotations/annotation-draft.ts';
import { identifierOf } from '../../../components/annotations/authorship.ts';
import type { AnnotationConfig } from '../../../components/annotations/use-annotations.ts';
import { FailureLine } from '../../../components/Failure.tsx';
import { FormDialog } from '../../../components/FormDialog.tsx';
import { InputField } from '../../../components/fields.tsx';
import { toast } from '../../../components/toasts.tsx';
import { send } from '../../../data/request.ts';
import { useChange } from '../../../data/use-change.ts';
import { useQuery } from '../../../data/use-query.ts';
import { formatCount } from '../../../format/numbers.ts';
import { AnnotationFields } from './AnnotationFields.tsx';
import type { BulkDialogProps } from './bulk.ts';
import { toFreeAnnotation } from './free-annotation.ts';
import { annotateSpans, annotateTraces, bulkConfigs } from './generated/bulk.ts';

const NO_CONFIGS: readonly AnnotationConfig[] = [];

/** Adds the same annotation to all selected rows, by a config of the project or as free text. */
export function AnnotateRows({ projectId, isOfTraces, selected, onClose, onDone }: BulkDialogProps) {
  const { data, failure, refetch } = useQuery(bulkConfigs, { id: projectId });
  const configs =
    data?.node.__typename === 'Project' ? data.node.annotationConfigs.edges.map(({ node }) => node) : NO_CONFIGS;
  // The first config by default. `null` is free text.
  const [chosenId, setChosenId] = useState<string | null>();
  const config = chosenId === null ? undefined : (configs.find(({ id }) => id === chosenId) ?? configs[0]);
  const [name, setName] = useState('');
  const [draft, setDraft] = useState(EMPTY_DRAFT);
  const change = useChange();
  const ids = isOfTraces ? selected.traceIds : selected.spanIds;
  const noun = isOfTraces ? 'trace' : 'span';
  const count = `${formatCount(ids.length)} ${noun}${ids.length === 1 ? '' : 's'}`;
  const submit = () => {
    if (isEmpty(draft)) return change.say('Enter a label, a score or an explanation.');
    const value = config ? toAnnotationValue(draft, config) : toFreeAnnotation(draft, name);
    if (typeof value === 'string') return change.say(value);
    const given = {
      ...value,
      annotatorKind: 'HUMAN',
      source: 'APP',
      metadata: {},
      identifier: identifierOf(data?.viewer?.id),
    } as const;
    void change.run(
      () =>
        isOfTraces
          ? send(annotateTraces, { input: ids.map((traceId) => ({ ...given, traceId })) })
          : send(annotateSpans, { input: ids.map((spanId) => ({ ...given, spanId })) }),
      () => {
        toast(`Annotated ${count}.`);
        onDone();
      },
    );
  };
  const choose = (id: string | null) => {
    setChosenId(id);
    setDraft(EMPTY_DRAFT);
    change.say(undefined);
  };
  return (
    <FormDialog
      title={`Annotate ${count}`}
      change={change}
      action={`Annotate ${count}`}
      isReady={data !== undefined && (config !== undefined || name.trim() !== '')}
      onSubmit={submit}
      onClose={onClose}
    >
      {failure && <FailureLine failure={failure} onRetry={refetch} />}
      {configs.length > 0 && (
        <span className="segments bulk-configs" role="group" aria-label="Annotation config">
          {configs.map(({ id, name: label, description }) => (
            <button
              key={id}
              type="button"
              title={description ?? undefined}
              aria-pressed={id === config?.id}
              onClick={() => choose(id)}
            >
              {label}
            </button>
          ))}
          <button type="button" aria-pressed={config === undefined} onClick={() => choose(null)}>
            Other
          </button>
        </span>
      )}
      {!config && <InputField label="Name" required value={name} onChange={setName} />}
      <AnnotationFields config={config} draft={draft} onChange={setDraft} />
    </FormDialog>
  );
}
