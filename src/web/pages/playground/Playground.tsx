import { useEffect, useMemo, useRef, useState } from 'react';
import { PaneLayout } from '../../components/annotations/PaneLayout.tsx';
import { FailureLine } from '../../components/Failure.tsx';
import { Icon } from '../../components/Icon.tsx';
import { lazy } from '../../components/lazy.tsx';
import { mergeVariables } from '../../components/prompt/variant/variables.ts';
import { toast } from '../../components/toasts.tsx';
import { useMediaQuery } from '../../components/use-media-query.ts';
import { formatCount } from '../../format/numbers.ts';
import { CaseCell } from './cases/CaseCell.tsx';
import { NoCases } from './cases/NoCases.tsx';
import { RunSettingsPanel } from './cases/RunSettingsPanel.tsx';
import { SourceBar } from './cases/SourceBar.tsx';
import { useCases } from './cases/use-cases.ts';
import { copyLink } from './copy-link.ts';
import { VariantEditor } from './editors/VariantEditor.tsx';
import { CellDialog } from './grid/CellDialog.tsx';
import { OutputCell } from './grid/OutputCell.tsx';
import { PlaygroundGrid } from './grid/PlaygroundGrid.tsx';
import { VariantColumnHead } from './grid/VariantColumnHead.tsx';
import { VariantFoot } from './grid/VariantFoot.tsx';
import type { LoadedDraft } from './load-draft.ts';
import { PlaygroundHeader } from './PlaygroundHeader.tsx';
import { Replayed } from './Replayed.tsx';
import { RunEstimate } from './run/RunEstimate.tsx';
import { useRuns } from './run/use-runs.ts';
import { type Case, missingIn } from './state/cases.ts';
import { TYPED_CASE_COUNT_MAX, VARIANT_COUNT_MAX } from './state/draft.ts';
import { useCellsView } from './use-cells-view.ts';
import { type Column, useColumns } from './use-columns.ts';
import { useDraft } from './use-draft.ts';
import { type GridPosition, usePlaygroundKeys } from './use-playground-keys.ts';
import { type VariantDialog, VariantDialogs } from './VariantDialogs.tsx';
import './playground.css';
import '../../components/prompt/editors/editors.css';
import './grid/output.css';

const AnnotateOutput = lazy(async () => (await import('./annotate/AnnotateOutput.tsx')).AnnotateOutput);

interface PlaygroundProps {
  readonly loaded: LoadedDraft;
  readonly path: string;
}

const focusCase = (index: number): void =>
  document.querySelectorAll('.case-fields')[index]?.querySelector('textarea')?.focus();

/** Cases that no variant can run, because a variable has no value. */
const countLacking = (cases: readonly Case[], columns: readonly Column[], variablesPath: string): number =>
  cases.filter((each) => columns.every(({ variables }) => missingIn(each, variables, variablesPath).length > 0)).length;

/** Variants of a prompt beside each other over the same cases. */
export function Playground({ loaded, path }: PlaygroundProps) {
  const [draft, change] = useDraft(loaded.draft, path);
  const { variants, pinnedId, source, settings } = draft;
  const columns = useColumns(variants);
  const { cases, isComplete, failure, retry } = useCases(
    source,
    variants.find((variant) => variant.source)?.source?.versionId,
  );
  const variables = useMemo(() => mergeVariables(columns.map((column) => column.variables)), [columns]);
  const runs = useRuns(draft, columns, cases, loaded);
  const lackingCount = useMemo(
    () => countLacking(cases, columns, settings.variablesPath),
    [cases, columns, settings.variablesPath],
  );
  const { store } = runs;
  const view = useCellsView(settings.repetitions);
  const [position, setPosition] = useState<GridPosition>({ row: -1, column: 0 });
  // A link may name an example, which is reached when its page has loaded.
  const linkedRow = loaded.exampleId === undefined ? -1 : cases.findIndex(({ id }) => id === loaded.exampleId);
  useEffect(() => {
    if (linkedRow >= 0) setPosition({ row: linkedRow, column: 0 });
  }, [linkedRow]);
  const [opened, setOpened] = useState<{ readonly variantId: string; readonly caseId: string }>();
  const [dialog, setDialog] = useState<VariantDialog>();
  /** Number of requests to annotate since the pane was opened. 0: closed. */
  const [annotateCount, setAnnotateCount] = useState(0);
  const annotate = (row: number, column: number) => {
    setPosition({ row, column });
    setAnnotateCount((before) => before + 1);
  };
  usePlaygroundKeys({
    ...{ columns, cases, runs, view, position, setPosition },
    onOpen: (variantId, caseId) => setOpened({ variantId, caseId }),
    onAnnotate: () => annotate(Math.max(0, position.row), position.column),
  });
  // The cells are memoized, so they get the same functions each time.
  const annotateCell = (variantId: string, caseId: string) =>
    annotate(
      cases.findIndex(({ id }) => id === caseId),
      variants.findIndex(({ id }) => id === variantId),
    );
  const latest = useRef({ runs, annotateCell });
  useEffect(() => {
    latest.current = { runs, annotateCell };
  });
  const [handlers] = useState(() => ({
    open: (variantId: string, caseId: string) => setOpened({ variantId, caseId }),
    runCell: (variantId: string, caseId: string) => latest.current.runs.run([variantId], [caseId]),
    annotate: (variantId: string, caseId: string) => latest.current.annotateCell(variantId, caseId),
    addKey: (variantId: string) => setDialog({ type: 'key', variantId }),
    setText: (id: string, name: string, text: string) => change({ type: 'setText', id, name, text }),
    removeCase: (id: string, index: number) => {
      change({ type: 'removeCase', id });
      requestAnimationFrame(() => focusCase(Math.max(0, index - 1)));
    },
  }));
  const isDataset = source.type === 'dataset';
  const isNarrow = useMediaQuery('(max-width: 640px)');
  const estimate = <RunEstimate draft={draft} columns={columns} cases={cases} isRunning={runs.isRunning} />;
  const [markedColumn, markedCase] = [columns[position.column], cases[position.row]];
  return (
    <>
      <PlaygroundHeader
        runs={runs}
        estimate={isNarrow ? undefined : estimate}
        canRun={runs.canRun && cases.length > 0 && columns.some(({ problems }) => problems.length === 0)}
        canDiff={columns.length > 1}
        view={view}
        onCopyLink={() => void copyLink(draft)}
      />
      <div className="pg-bar">
        <SourceBar source={source} onChange={(next) => change({ type: 'setSource', source: next })} />
        <span className="grow" />
        {source.type !== 'typed' && (
          <span className="muted" role="status">
            {formatCount(cases.length)} {cases.length === 1 ? 'case' : 'cases'}
            {!isComplete && '…'}
            {lackingCount > 0 && `, ${formatCount(lackingCount)} ${lackingCount === 1 ? 'lacks' : 'lack'} a value`}
          </span>
        )}
        {isNarrow && estimate}
        {columns.length < VARIANT_COUNT_MAX && runs.canRun && (
          <button
            type="button"
            className="button pg-add-variant"
            onClick={() => change({ type: 'copyVariant', id: variants.at(-1)!.id })}
          >
            <Icon name="plus" size={13} /> <span>Variant</span>
          </button>
        )}
      </div>
      <Replayed loaded={loaded} />
      {!runs.canRun && (
        <p className="pg-note" role="note">
          Your role can read the playground but not call models. Ask an administrator for the role of a member.
        </p>
      )}
      <PaneLayout
        pane={
          annotateCount > 0 && markedColumn && markedCase ? (
            <AnnotateOutput
              store={store}
              address={{ variantId: markedColumn.variant.id, caseId: markedCase.id, repetition: view.repetition }}
              place={`${markedColumn.letter}, case ${position.row + 1}`}
              focusRequest={annotateCount}
              onNext={() => {
                const isLast = position.column + 1 >= columns.length;
                if (isLast && position.row + 1 >= cases.length) toast('This was the last output.');
                else if (isLast) annotate(position.row + 1, 0);
                else annotate(position.row, position.column + 1);
              }}
              onClose={() => setAnnotateCount(0)}
            />
          ) : undefined
        }
      >
        <PlaygroundGrid
          variants={variants}
          cases={cases}
          activeRow={position.row}
          corner={
            <RunSettingsPanel
              settings={settings}
              source={source}
              format={variants[0]!.format}
              onChange={(next) => change({ type: 'set', settings: next })}
              onFormat={(format) => {
                for (const variant of variants)
                  change({ type: 'setVariant', id: variant.id, variant: { ...variant, format } });
              }}
            />
          }
          renderHead={(_, index) => (
            <VariantColumnHead
              column={columns[index]!}
              index={index}
              count={columns.length}
              pinnedId={pinnedId}
              runs={runs}
              hasCases={cases.length > 0}
              datasetId={isDataset ? source.datasetId : undefined}
              change={change}
              onDialog={setDialog}
            />
          )}
          renderEditor={(variant) => (
            <VariantEditor
              variant={variant}
              onChange={(next) => change({ type: 'setVariant', id: variant.id, variant: next })}
            />
          )}
          renderCase={(each, index) => (
            <CaseCell
              each={each}
              index={index}
              variables={variables}
              onText={handlers.setText}
              onRemove={source.type === 'typed' && source.rows.length > 1 ? handlers.removeCase : undefined}
            />
          )}
          renderCell={(variant, each, index, isTall) => {
            const columnIndex = variants.indexOf(variant);
            const column = columns[columnIndex]!;
            return (
              <OutputCell
                store={store}
                variantId={variant.id}
                letter={column.letter}
                caseId={each.id}
                repetition={view.repetition}
                repetitions={view.repetitions}
                fingerprint={column.fingerprint}
                missing={missingIn(each, column.variables, settings.variablesPath).join(', ')}
                diffWith={view.isDiff && variant.id !== pinnedId ? pinnedId : undefined}
                schema={column.schema}
                isTall={isTall}
                isActive={position.row === index && position.column === columnIndex}
                onOpen={handlers.open}
                onAnnotate={handlers.annotate}
                onRun={isDataset || !runs.canRun ? undefined : handlers.runCell}
                onAddKey={handlers.addKey}
              />
            );
          }}
          renderFoot={(variant) => <VariantFoot store={store} variantId={variant.id} pinnedId={pinnedId} />}
          caseFoot={<span className="muted">Means ± 95 % interval</span>}
          rest={
            <>
              {failure && <FailureLine failure={failure} onRetry={retry} />}
              {source.type === 'typed' ? (
                <div className="pg-rest">
                  <button
                    type="button"
                    className="button bare small"
                    disabled={source.rows.length >= TYPED_CASE_COUNT_MAX}
                    onClick={() => {
                      change({ type: 'addCase' });
                      requestAnimationFrame(() => focusCase(source.rows.length));
                    }}
                  >
                    <Icon name="plus" size={12} /> Case
                  </button>
                </div>
              ) : (
                cases.length === 0 && !failure && <NoCases source={source} isComplete={isComplete} />
              )}
            </>
          }
        />
      </PaneLayout>
      {opened && (
        <CellDialog
          store={store}
          columns={columns}
          opened={opened}
          pinnedId={pinnedId}
          view={view}
          onUse={(variant) => change({ type: 'setVariant', id: variant.id, variant })}
          onClose={() => setOpened(undefined)}
        />
      )}
      {dialog && (
        <VariantDialogs
          dialog={dialog}
          columns={columns}
          onChange={(variant) => change({ type: 'setVariant', id: dialog.variantId, variant })}
          onClose={() => setDialog(undefined)}
        />
      )}
      {runs.question}
    </>
  );
}
