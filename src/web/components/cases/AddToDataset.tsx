import { type FormEvent, useEffect, useRef, useState } from 'react';
import { toFailure } from '../../data/request.ts';
import { useQuery } from '../../data/use-query.ts';
import { formatCount } from '../../format/numbers.ts';
import { navigate } from '../../router/location.ts';
import { Dialog } from '../Dialog.tsx';
import { Failure, FailureLine } from '../Failure.tsx';
import { SPLITS } from '../labels/label-kinds.ts';
import { Problem } from '../Problem.tsx';
import { toast } from '../toasts.tsx';
import { addCases, openDataset, rememberMapping } from './add-cases.ts';
import { addOne } from './add-one.ts';
import { type ChosenDataset, DatasetChoice } from './DatasetChoice.tsx';
import { type EditedSides, ExampleEditors, readObject, toText } from './ExampleEditors.tsx';
import { ExamplePreview } from './ExamplePreview.tsx';
import { casesOfProject } from './generated/cases.ts';
import { MappingEditor } from './MappingEditor.tsx';
import { RepeatedChoice } from './RepeatedChoice.tsx';
import { type ListedSpans, readListedIds, SPAN_COUNT_MAX } from './read-listed-ids.ts';
import { SaveSource } from './SaveSource.tsx';
import { SplitsChoice } from './SplitsChoice.tsx';
import { DEFAULT_MAPPING, describeRepeated, SIDES, type SpanMapping } from './span-mapping.ts';
import { usePreview } from './use-preview.ts';
import './cases.css';

export interface AddToDatasetProps {
  readonly projectId: string;
  /** IDs of the spans, or a list of spans that is read when the dialog opens. */
  readonly spans: readonly string[] | ListedSpans;
  readonly onClose: () => void;
  /** Called when examples were added. */
  readonly onDone?: () => void;
}

/** Dialog that makes examples of a dataset from spans. */
export function AddToDataset(props: AddToDatasetProps) {
  const { projectId, spans, onClose } = props;
  const { data, failure, refetch } = useQuery(casesOfProject, { id: projectId }, { keeps: false });
  const [ids, setIds] = useState<readonly string[] | undefined>(
    isListed(spans) ? undefined : spans.slice(0, SPAN_COUNT_MAX),
  );
  const [problem, setProblem] = useState<string>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list is read once
  useEffect(() => {
    if (!isListed(spans)) return;
    const controller = new AbortController();
    readListedIds(projectId, spans, { countMax: SPAN_COUNT_MAX, signal: controller.signal }).then(setIds, (error) => {
      if (!controller.signal.aborted) setProblem(toFailure(error).message);
    });
    return () => controller.abort();
  }, []);
  const project = data?.node.__typename === 'Project' ? data.node : undefined;
  const title =
    ids === undefined || ids.length === 1 ? 'Add to dataset' : `Add ${formatCount(ids.length)} spans to a dataset`;
  return (
    <Dialog title={title} isWide isOpen asksBeforeLoss onClose={onClose}>
      {failure && <Failure failure={failure} onRetry={refetch} />}
      <Problem text={problem} />
      {project && ids?.length === 0 && <p>No spans match. Change the filter or the time range, and try again.</p>}
      {project && ids && ids.length > 0 ? (
        <CaseForm {...props} ids={ids} first={project.spanMapping ?? DEFAULT_MAPPING} />
      ) : (
        !failure && ids?.length !== 0 && !problem && <div className="skeleton" style={{ height: 320 }} />
      )}
    </Dialog>
  );
}

const isListed = (spans: AddToDatasetProps['spans']): spans is ListedSpans => !Array.isArray(spans);

interface CaseFormProps extends AddToDatasetProps {
  readonly ids: readonly string[];
  /** The mapping that the project used last. */
  readonly first: SpanMapping;
}

function CaseForm({ projectId, spans, ids, first, onClose, onDone }: CaseFormProps) {
  const [dataset, setDataset] = useState<ChosenDataset>();
  const [splitIds, setSplitIds] = useState<readonly string[]>([]);
  const [mapping, setMapping] = useState(first);
  const [edited, setEdited] = useState<EditedSides>({});
  const [keepsRepeated, setKeepsRepeated] = useState(false);
  const [repeatedCount, setRepeatedCount] = useState(0);
  const [shown, setShown] = useState(0);
  const [progress, setProgress] = useState<number>();
  const [problem, setProblem] = useState<string>();
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const datasetId = dataset && 'id' in dataset ? dataset.id : undefined;
  const isNew = dataset !== undefined && datasetId === undefined;
  const preview = usePreview(ids, mapping, datasetId);
  const splitNames = (SPLITS.useAll().items ?? []).filter(({ id }) => splitIds.includes(id)).map(({ name }) => name);
  const isSingle = ids.length === 1;
  const example = preview.examples[isSingle ? 0 : shown];
  const isEdited = Object.values(edited).some((text) => text !== undefined);
  const isReadable = SIDES.every((side) => edited[side] === undefined || readObject(edited[side]) !== undefined);
  const isBusy = progress !== undefined;
  const addedCount = ids.length - (keepsRepeated ? 0 : repeatedCount);
  const isReady = dataset !== undefined && isReadable && example !== undefined && !preview.failure;

  const add = async (event: FormEvent) => {
    event.preventDefault();
    if (!dataset || !example || isBusy) return;
    const controller = new AbortController();
    running.current = controller;
    setProblem(undefined);
    setProgress(0);
    try {
      const target = await openDataset(dataset);
      setDataset(target);
      const common = { datasetId: target.id, splitNames, keepsRepeated };
      const result =
        isSingle && isEdited
          ? await addOne({ ...common, spanId: example.spanId, ...toObjects(example, edited) }, controller.signal)
          : await addCases(
              { ...common, spanIds: ids, mapping, isDryRun: false },
              { signal: controller.signal, onProgress: setProgress },
            );
      await rememberMapping(projectId, mapping);
      const repeated = describeRepeated(result.repeated_span_count, result.repeated_content_count);
      if (result.added_count === 0) {
        setProblem(`Nothing was added: ${repeated}. Choose “Add them too” to add repeated examples.`);
        setProgress(undefined);
        return;
      }
      const count = `${formatCount(result.added_count)} ${result.added_count === 1 ? 'example' : 'examples'}`;
      const rest = repeated && !keepsRepeated ? ` Left out: ${repeated}.` : '';
      toast(`Added ${count} to ${target.name}.${rest}`, {
        label: 'Show',
        run: () => navigate(`/datasets/${encodeURIComponent(target.id)}/examples`),
      });
      onDone?.();
      onClose();
    } catch (error) {
      setProgress(undefined);
      if (controller.signal.aborted) setProblem('Stopped. Nothing was added.');
      else setProblem(toFailure(error).message);
    }
  };

  return (
    <form className="cases" onSubmit={(event) => void add(event)}>
      <fieldset className="cases-choices" disabled={isBusy}>
        <DatasetChoice value={dataset} onChange={setDataset} />
        <SplitsChoice value={splitIds} onChange={setSplitIds} />
        <details open={SIDES.some((side) => mapping[side] !== null)}>
          <summary>Mapping</summary>
          <MappingEditor mapping={mapping} onChange={setMapping} example={example} />
        </details>
        {isListed(spans) && (
          <SaveSource
            projectId={projectId}
            filter={spans.filter}
            isRootsOnly={spans.isRootsOnly}
            dataset={dataset}
            mapping={mapping}
            splitNames={splitNames}
            onSaved={onClose}
          />
        )}
      </fieldset>
      <div className="cases-preview">
        {preview.failure && <FailureLine failure={preview.failure} onRetry={preview.refetch} />}
        {isSingle ? (
          <ExampleEditors example={example} edited={edited} onEdit={setEdited} />
        ) : (
          <ExamplePreview examples={preview.examples} count={ids.length} onShow={setShown} />
        )}
      </div>
      <div className="cases-end">
        <RepeatedChoice
          datasetId={datasetId}
          isNew={isNew}
          spanIds={ids}
          mapping={mapping}
          example={isSingle ? example : undefined}
          keepsRepeated={keepsRepeated}
          onChange={setKeepsRepeated}
          onCount={setRepeatedCount}
        />
        {isBusy && !isSingle && (
          <div className="cases-progress">
            <progress aria-label="Spans read" value={progress / ids.length} />
            <span className="muted" role="status">
              {progress < ids.length
                ? `${formatCount(progress)} of ${formatCount(ids.length)} spans read`
                : 'Writing the new version…'}
            </span>
          </div>
        )}
        <Problem text={problem} />
        <div className="dialog-actions">
          {isBusy ? (
            <button type="button" className="button" onClick={() => running.current?.abort()}>
              Stop
            </button>
          ) : (
            <button type="button" className="button" onClick={onClose}>
              Cancel
            </button>
          )}
          <button type="submit" className="button primary" disabled={isBusy || !isReady}>
            {isSingle
              ? 'Add example'
              : `Add ${isNew && !keepsRepeated ? 'up to ' : ''}${formatCount(addedCount)} ${addedCount === 1 ? 'example' : 'examples'}`}
          </button>
        </div>
      </div>
    </form>
  );
}

const toObjects = (example: Parameters<typeof ExampleEditors>[0]['example'] & object, edited: EditedSides) => {
  const side = (name: (typeof SIDES)[number]) => readObject(edited[name] ?? toText(example[name])) ?? {};
  return { input: side('input'), output: side('output'), metadata: side('metadata') };
};
