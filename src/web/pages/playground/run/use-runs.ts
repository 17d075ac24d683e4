import { createElement, type ReactNode, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { useAccess } from '../../../access/use-access.ts';
import { toast } from '../../../components/toasts.tsx';
import { playgroundCells } from '../generated/runs.ts';
import type { LoadedDraft, ReplayedSpan } from '../load-draft.ts';
import { type Case, missingIn, valuesOf } from '../state/cases.ts';
import type { Draft } from '../state/draft.ts';
import type { Column } from '../use-columns.ts';
import { CellStore } from './cell-store.ts';
import { toOverDatasetInput } from './chat-input.ts';
import { DatasetRuns } from './dataset-runs.ts';
import { followCells } from './follow-cells.ts';
import { LeaveQuestion } from './LeaveQuestion.tsx';
import { RunController } from './run-controller.ts';
import type { RunState } from './run-state.ts';

/** The outputs of the page and what runs. */
export interface Runs {
  readonly store: CellStore;
  readonly states: ReadonlyMap<string, RunState>;
  readonly isRunning: boolean;
  /** Whether the user may call models. */
  readonly canRun: boolean;
  /** Runs all cells that have their variables, or those of some variants and cases. */
  readonly run: (variantIds?: readonly string[], caseIds?: readonly string[]) => void;
  readonly stop: (variantId: string) => void;
  readonly stopAll: () => void;
  readonly canResume: (variantId: string) => boolean;
  readonly resume: (variantId: string) => void;
  /** Question before the page is left during a recorded run. */
  readonly question: ReactNode;
}

export function useRuns(
  draft: Draft,
  columns: readonly Column[],
  cases: readonly Case[],
  { replay, recorded }: Pick<LoadedDraft, 'replay' | 'recorded'>,
): Runs {
  const { may } = useAccess();
  const [store] = useState(() => createStore(draft, replay));
  const [controller] = useState(() => new RunController(store, followCells));
  const [datasetRuns] = useState(() => new DatasetRuns(store, controller));
  const states = useSyncExternalStore(controller.subscribe, controller.states);
  const canRun = may(playgroundCells);
  const { source, settings } = draft;
  const isDataset = source.type === 'dataset';
  const isRunning = [...states.values()].some((state) => state.isRunning);
  useEffect(
    () => () => {
      controller.stopAll();
      datasetRuns.leave();
    },
    [controller, datasetRuns],
  );
  useEffect(() => {
    for (const { variant, experimentId } of recorded) void datasetRuns.follow(variant, experimentId);
  }, [recorded, datasetRuns]);
  return useMemo(() => {
    const running = [...states].filter(([, state]) => state.isRunning).map(([id]) => id);
    const stop = (variantId: string) => (isDataset ? datasetRuns.stop(variantId) : controller.stop(variantId));
    return {
      ...{ store, states, isRunning, canRun },
      run(variantIds, caseIds) {
        if (!canRun) return;
        const chosen = columns.filter(
          ({ variant, problems }) =>
            problems.length === 0 &&
            (variantIds?.includes(variant.id) ?? true) &&
            !(isDataset && states.get(variant.id)?.isRunning),
        );
        if (chosen.length === 0) return;
        if (source.type === 'dataset') {
          const { datasetId, splitIds } = source;
          void datasetRuns.run(
            chosen.map(({ variant, letter }) => ({
              variant,
              input: toOverDatasetInput(variant, settings, {
                ...{ datasetId, splitIds, letter },
                evaluatorIds: settings.evaluatorIds,
              }),
            })),
            cases.map(({ id }) => id),
            settings.repetitions,
          );
          return;
        }
        const asked = cases.filter(({ id }) => caseIds?.includes(id) ?? true);
        const filled = chosen.map(({ variant, variables }) => ({
          variant,
          cells: asked
            .filter((each) => missingIn(each, variables, settings.variablesPath).length === 0)
            .map((each) => ({ caseId: each.id, variables: valuesOf(each, variables, settings.variablesPath) })),
        }));
        if (filled.some(({ cells }) => cells.length > 0)) controller.run(filled, settings);
        else askForValues(chosen.flatMap(({ variables }) => missingIn(asked[0]!, variables, settings.variablesPath)));
      },
      stop: (variantId) => void stop(variantId),
      stopAll: () => {
        for (const id of running) void stop(id);
      },
      canResume: (variantId) => {
        const state = states.get(variantId);
        return isDataset && state !== undefined && !state.isRunning && state.experimentId !== undefined;
      },
      resume: (variantId) => {
        const column = columns.find(({ variant }) => variant.id === variantId);
        if (column) void datasetRuns.resume(column.variant, settings.budget);
      },
      question: createElement(LeaveQuestion, {
        isRunning: isDataset && settings.isRecorded && isRunning,
        onStop: () => Promise.all(running.map((id) => datasetRuns.stop(id))),
        onDelete: () => datasetRuns.delete(running),
      }),
    };
  }, [store, states, isRunning, canRun, columns, cases, source, settings, isDataset, controller, datasetRuns]);
}

/** Says why nothing runs, and leads to the first field without a value. */
function askForValues(names: readonly string[]): void {
  toast(`Nothing runs yet: every case lacks a value of ${[...new Set(names)].join(', ')}.`);
  const fields = document.querySelectorAll<HTMLTextAreaElement>('.case-fields textarea');
  [...fields].find(({ value }) => value === '')?.focus();
}

function createStore(draft: Draft, replay: ReplayedSpan | undefined): CellStore {
  const store = new CellStore((work) => requestAnimationFrame(work));
  const { source, variants } = draft;
  if (replay && source.type === 'typed' && variants[0]) {
    store.set({ variantId: variants[0].id, caseId: source.rows[0]!.id, repetition: 1 }, replay.cell);
  }
  return store;
}
