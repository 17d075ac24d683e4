import { useAccess } from '../../../access/use-access.ts';
import { tabPath } from '../../dataset/dataset-tabs.ts';
import { createPlaygroundPrompt } from '../generated/playground.ts';
import type { Runs } from '../run/use-runs.ts';
import { type DraftChange, VARIANT_COUNT_MAX } from '../state/draft.ts';
import type { Column } from '../use-columns.ts';
import type { VariantDialog } from '../VariantDialogs.tsx';
import { VariantHead } from './VariantHead.tsx';

interface VariantColumnHeadProps {
  readonly column: Column;
  readonly index: number;
  readonly count: number;
  readonly pinnedId: string;
  readonly runs: Runs;
  readonly hasCases: boolean;
  readonly datasetId: string | undefined;
  readonly change: (change: DraftChange) => void;
  readonly onDialog: (dialog: VariantDialog) => void;
}

/** Head of a column with its actions on the draft and on its run. */
export function VariantColumnHead(props: VariantColumnHeadProps) {
  const { column, index, count, pinnedId, runs, hasCases, datasetId, change, onDialog } = props;
  const { may } = useAccess();
  const { variant, letter, color, isUnsaved, problems } = column;
  const { id } = variant;
  const state = runs.states.get(id);
  const experimentId = state?.experimentId;
  return (
    <VariantHead
      variant={variant}
      letter={letter}
      color={color}
      isPinned={id === pinnedId && count > 1}
      isUnsaved={isUnsaved}
      isRunning={state?.isRunning === true}
      startedAt={state?.startedAt}
      spending={state?.spending}
      endReason={state?.problem ?? state?.stopReason}
      waiting={state?.waiting}
      canRun={runs.canRun && hasCases && problems.length === 0}
      experimentPath={
        datasetId !== undefined && experimentId !== undefined
          ? tabPath(datasetId, 'experiments', experimentId)
          : undefined
      }
      store={runs.store}
      actions={{
        run: () => runs.run([id]),
        stop: () => runs.stop(id),
        resume: runs.canResume(id)
          ? () => {
              runs.resume(id);
              // The button is gone while the run goes on.
              document.querySelector<HTMLElement>(`[aria-label="Run ${letter}"]`)?.focus();
            }
          : undefined,
        openModel: () => onDialog({ type: 'model', variantId: id }),
        load: () => onDialog({ type: 'load', variantId: id }),
        save: may(createPlaygroundPrompt) ? () => onDialog({ type: 'save', variantId: id }) : undefined,
        copy: count < VARIANT_COUNT_MAX ? () => change({ type: 'copyVariant', id }) : undefined,
        remove:
          count > 1
            ? () => {
                runs.stop(id);
                runs.store.clear(id);
                change({ type: 'removeVariant', id });
                requestAnimationFrame(() => document.querySelector<HTMLElement>('.pg-add-variant')?.focus());
              }
            : undefined,
        pin: () => change({ type: 'pin', id }),
        move: (step) => change({ type: 'moveVariant', id, to: index + step }),
      }}
    />
  );
}
