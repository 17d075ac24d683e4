import type { CSSProperties } from 'react';
import { ProviderName } from '../../../components/prompt/model/ProviderName.tsx';
import { ActionMenu } from '../../../components/ActionMenu.tsx';
import { Icon } from '../../../components/Icon.tsx';
import type { Variant } from '../../../components/prompt/variant/variant.ts';
import { formatCount, formatLatency, formatSmallCost } from '../../../format/numbers.ts';
import { Link } from '../../../router/Link.tsx';
import { navigate } from '../../../router/location.ts';
import { promptPath } from '../../prompts/prompt-row.ts';
import type { CellStore } from '../run/cell-store.ts';
import { remainingMs } from '../run/remaining.ts';
import type { RunSpending } from '../run/run-state.ts';
import { useProgress } from './use-cell.ts';

export interface VariantActions {
  readonly run: () => void;
  readonly stop: () => void;
  /** Undefined when nothing was stopped. */
  readonly resume: (() => void) | undefined;
  readonly openModel: () => void;
  readonly load: () => void;
  /** Undefined for users who may not save. */
  readonly save: (() => void) | undefined;
  readonly copy: (() => void) | undefined;
  readonly remove: (() => void) | undefined;
  readonly pin: () => void;
  readonly move: (step: number) => void;
}

interface VariantHeadProps {
  readonly variant: Variant;
  readonly letter: string;
  /** CSS variable of the color. */
  readonly color: string;
  readonly isPinned: boolean;
  readonly isUnsaved: boolean;
  readonly isRunning: boolean;
  /** Clock time at which the run began. */
  readonly startedAt: number | undefined;
  readonly spending: RunSpending | undefined;
  /** Why the run failed or was stopped as a whole. */
  readonly endReason: string | undefined;
  /** What happens when the server allows it. */
  readonly waiting: string | undefined;
  readonly canRun: boolean;
  readonly experimentPath: string | undefined;
  readonly store: CellStore;
  readonly actions: VariantActions;
}

/** Prompt, model and run of a column. */
export function VariantHead(props: VariantHeadProps) {
  const { variant, letter, color, isPinned, isUnsaved, isRunning, canRun, actions, experimentPath } = props;
  const { source, model } = variant;
  return (
    <div className="variant-head">
      <div className="row">
        <span className="compared-mark" style={{ '--mark': `var(${color})` } as CSSProperties}>
          {letter}
        </span>
        <button type="button" className="button bare small variant-name" title="Load a prompt" onClick={actions.load}>
          <span className={source ? 'clip' : 'clip muted'} dir="auto">
            {source ? source.promptName : 'New prompt'}
          </span>
          <Icon name="down" size={11} />
        </button>
        {isPinned && <Icon name="flag" size={12} />}
        <span className="grow" />
        {isRunning ? (
          <button type="button" className="button small" aria-label={`Stop ${letter}`} onClick={actions.stop}>
            Stop
          </button>
        ) : (
          <button
            type="button"
            className="button small icon-only"
            aria-label={`Run ${letter}`}
            title="Run this variant (Shift and the keys of Run all)"
            disabled={!canRun}
            onClick={actions.run}
          >
            <Icon name="play" size={13} />
          </button>
        )}
        <VariantMenu
          letter={letter}
          isPinned={isPinned}
          promptLink={source ? promptPath(source.promptId, 'versions', source.versionId) : undefined}
          actions={actions}
        />
      </div>
      <div className="row">
        <button
          type="button"
          className="button bare small variant-model"
          title="Model and parameters"
          onClick={actions.openModel}
        >
          <span className="muted clip" dir="auto">
            <ProviderName {...model} />
          </span>
          <strong className="clip" dir="auto">
            {model.name || 'Choose a model'}
          </strong>
          <Icon name="settings" size={12} />
        </button>
        <span className="grow" />
        {source && <span className="muted clip">{source.tagName ?? `v${source.sequenceNumber}`}</span>}
        {isUnsaved &&
          (actions.save ? (
            <button
              type="button"
              className="unsaved-mark"
              title="The variant differs from the stored version. Save it as the next version."
              onClick={actions.save}
            >
              unsaved
            </button>
          ) : (
            <span className="unsaved-mark" title="The variant differs from the stored version">
              unsaved
            </span>
          ))}
        {experimentPath !== undefined && (
          <Link className="clip" to={experimentPath}>
            Experiment
          </Link>
        )}
      </div>
      <RunProgress {...props} />
    </div>
  );
}

/** Bar with the number of ended cells and the remaining time. */
function RunProgress(props: VariantHeadProps) {
  const { store, variant, startedAt, isRunning, actions, spending, endReason, waiting } = props;
  const { total, ended, failed, stopped, cached } = useProgress(store, variant.id);
  // The server records spending from time to time, so the page may know of more calls.
  const endedCalls = spending?.isExact ? 0 : ended - stopped - failed - cached;
  const callCount = Math.max(spending?.callCount ?? 0, endedCalls);
  const budget = spending && budgetText({ ...spending, callCount });
  if (total <= 1 && endReason === undefined && budget === undefined) return null;
  const done = ended - stopped;
  const leftMs =
    isRunning && startedAt !== undefined ? remainingMs({ total, ended, elapsedMs: Date.now() - startedAt }) : undefined;
  return (
    <div className="pg-progress">
      <progress max={total} value={done} aria-label={`${done} of ${total} cells`} />
      <span className="muted">
        {formatCount(done)} of {formatCount(total)}
        {leftMs !== undefined && `, ${formatLatency(leftMs)} left`}
        {stopped > 0 && !isRunning && `, ${formatCount(stopped)} stopped`}
      </span>
      {failed > 0 && <span className="status-error">{formatCount(failed)} failed</span>}
      {(stopped > 0 || failed > 0 || endReason !== undefined) &&
        !isRunning &&
        waiting === undefined &&
        actions.resume && (
          <button type="button" className="button small" onClick={actions.resume}>
            {stopped > 0 || endReason !== undefined ? 'Resume' : 'Retry failed'}
          </button>
        )}
      {budget !== undefined && <span className="muted">{budget}</span>}
      {waiting !== undefined && (
        <span className="muted" role="status">
          {waiting}
        </span>
      )}
      {endReason !== undefined && !isRunning && waiting === undefined && (
        <span className="run-end" role="status">
          {endReason}
          {/\bbudget\b/.test(endReason) && actions.resume && '. Set a higher one, then resume.'}
        </span>
      )}
    </div>
  );
}

/** What is spent of a budget. Undefined without one. */
function budgetText({ callCount, maxCalls, cost, maxCost }: RunSpending): string | undefined {
  const parts = [
    ...(maxCalls === null ? [] : [`${formatCount(callCount)} of ${formatCount(maxCalls)} calls`]),
    ...(maxCost === null ? [] : [`${formatSmallCost(cost)} of ${formatSmallCost(maxCost)}`]),
  ];
  return parts.length === 0 ? undefined : parts.join(', ');
}

interface VariantMenuProps extends Pick<VariantHeadProps, 'letter' | 'isPinned' | 'actions'> {
  readonly promptLink: string | undefined;
}

function VariantMenu({ letter, isPinned, promptLink, actions }: VariantMenuProps) {
  const { load, save, copy, remove, pin, move, resume } = actions;
  return (
    <ActionMenu
      label={`Actions for ${letter}`}
      actions={[
        { icon: 'prompt', label: 'Load a prompt', onSelect: load },
        promptLink !== undefined && {
          icon: 'link',
          label: 'Show the stored version',
          onSelect: () => navigate(promptLink),
        },
        save && { icon: 'bookmark', label: 'Save as a version', onSelect: save },
        resume && { icon: 'play', label: 'Resume', onSelect: resume },
        'line',
        !isPinned && { icon: 'flag', label: 'Pin, so that others are compared with it', onSelect: pin },
        copy && { icon: 'copy', label: 'Duplicate', onSelect: copy },
        { icon: 'left', label: 'Move left', onSelect: () => move(-1) },
        { icon: 'right', label: 'Move right', onSelect: () => move(1) },
        remove && { icon: 'trash', label: 'Remove', isDanger: true, onSelect: remove },
      ]}
    />
  );
}
