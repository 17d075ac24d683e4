import { useState } from 'react';
import { EMPTY_DRAFT, isEmpty, toAnnotationValues } from '../../../components/annotations/annotation-draft.ts';
import { IDENTIFIER } from '../../../components/annotations/authorship.ts';
import type { AnnotationConfig } from '../../../components/annotations/use-annotations.ts';
import { FailureLine } from '../../../components/Failure.tsx';
import { FormDialog } from '../../../components/FormDialog.tsx';
import { tell } from '../../../components/toasts.tsx';
import { send } from '../../../data/request.ts';
import { useChange } from '../../../data/use-change.ts';
import { useQuery } from '../../../data/use-query.ts';
import { formatCount } from '../../../format/numbers.ts';
import type { BulkDialogProps } from './bulk.ts';
import { toFreeJudgement } from './free-judgement.ts';
import { annotateSpans, annotateTraces, bulkConfigs } from './generated/bulk.ts';
import { JudgementFields } from './JudgementFields.tsx';

const NO_CONFIGS: readonly AnnotationConfig[] = [];

/** Says the same of every row, of spans, or of traces where these are listed: by a config of the project, or freely. */
export function AnnotateRows({ projectId, isOfTraces, selected, onClose, onDone }: BulkDialogProps) {
  const { data, failure, refetch } = useQuery(bulkConfigs, { id: projectId });
  const configs =
    data?.node.__typename === 'Project' ? data.node.annotationConfigs.edges.map(({ node }) => node) : NO_CONFIGS;
  // The first config, until something else is chosen; `null` is free text.
  const [chosenId, setChosenId] = useState<string | null>();
  const config = chosenId === null ? undefined : (configs.find(({ id }) => id === chosenId) ?? configs[0]);
  const [name, setName] = useState('');
  const [draft, setDraft] = useState(EMPTY_DRAFT);
  const change = useChange();
  const ids = isOfTraces ? selected.traceIds : selected.spanIds;
  const noun = isOfTraces ? 'trace' : 'span';
  const count = `${formatCount(ids.length)} ${noun}${ids.length === 1 ? '' : 's'}`;
  const submit = () => {
    if (isEmpty(draft)) return change.say('Say something.');
    const judgement = config ? toAnnotationValues(draft, config) : toFreeJudgement(draft, name);
    if (typeof judgement === 'string') return change.say(judgement);
    const given = {
      ...judgement,
      annotatorKind: 'HUMAN',
      source: 'APP',
      metadata: {},
      identifier: IDENTIFIER,
    } as const;
    void change.run(
      () =>
        isOfTraces
          ? send(annotateTraces, { input: ids.map((traceId) => ({ ...given, traceId })) })
          : send(annotateSpans, { input: ids.map((spanId) => ({ ...given, spanId })) }),
      () => {
        tell(`${count} annotated.`);
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
        <span className="segments bulk-configs" role="group" aria-label="Judge by">
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
            Something else
          </button>
        </span>
      )}
      {!config && (
        <label className="field">
          <span>Name</span>
          <input className="input" required value={name} onChange={(event) => setName(event.target.value)} />
        </label>
      )}
      <JudgementFields config={config} draft={draft} onChange={setDraft} />
    </FormDialog>
  );
}
