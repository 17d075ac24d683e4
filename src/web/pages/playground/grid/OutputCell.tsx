import { memo, type ReactNode } from 'react';
import type { Json } from '../../../../semconv/read-open-inference.ts';
import { isKeyProblem } from '../../../components/prompt/model/key-problem.ts';
import { Icon, type IconName } from '../../../components/Icon.tsx';
import { TextView } from '../../../components/values/TextView.tsx';
import { formatCount } from '../../../format/numbers.ts';
import type { Cell } from '../run/cell.ts';
import type { CellStore } from '../run/cell-store.ts';
import { CellDiff } from './CellDiff.tsx';
import { CellFactsLine } from './CellFactsLine.tsx';
import { CellScores } from './CellScores.tsx';
import { SchemaMark } from './SchemaMark.tsx';
import { useCell } from './use-cell.ts';

interface OutputCellProps {
  readonly store: CellStore;
  readonly variantId: string;
  /** Letter of the variant, for screen readers. */
  readonly letter: string;
  readonly caseId: string;
  readonly repetition: number;
  readonly repetitions: number;
  /** Current state of the variant. */
  readonly fingerprint: string;
  /** Joined names of variables without a value. Empty if the cell can run. */
  readonly missing: string;
  /** Variant with which the output is compared. Undefined for the pinned one and without a comparison. */
  readonly diffWith: string | undefined;
  readonly schema: Json | undefined;
  /** Whether the cell is as high as its content. */
  readonly isTall: boolean;
  readonly isActive: boolean;
  readonly onOpen: (variantId: string, caseId: string) => void;
  readonly onAnnotate: (variantId: string, caseId: string) => void;
  readonly onRun: ((variantId: string, caseId: string) => void) | undefined;
  readonly onAddKey: (variantId: string) => void;
}

/** Characters that fit into a cell of fixed height. */
const SHORT_CHARS_MAX = 900;

/** One output: its state, its text while it arrives, its scores and figures. */
export const OutputCell = memo((props: OutputCellProps) => {
  const { store, variantId, caseId, repetition, letter, missing, isTall, isActive, onOpen, onAnnotate, onRun } = props;
  const cell = useCell(store, variantId, caseId, repetition);
  if (!cell) {
    return (
      <div className="output" data-status={missing === '' ? 'ready' : 'missing'} data-active={isActive}>
        <p className="muted output-state">
          {missing === '' ? (
            'Ready'
          ) : (
            <>
              <Icon name="warning" size={12} /> Missing: <span dir="auto">{missing}</span>
            </>
          )}
        </p>
        {missing === '' && onRun && <RunButton letter={letter} onRun={() => onRun(variantId, caseId)} />}
      </div>
    );
  }
  const isOld = cell.fingerprint !== props.fingerprint;
  return (
    <div className="output" data-status={cell.status} data-active={isActive} data-old={isOld}>
      <div className="output-body" data-tall={isTall}>
        <Output {...props} cell={cell} />
      </div>
      {cell.scores.length + cell.annotations.length > 0 && (
        <CellScores scores={cell.scores} annotations={cell.annotations} />
      )}
      <div className="output-foot">
        <State cell={cell} isOld={isOld} />
        <CellFactsLine cell={cell} />
        <SchemaMark cell={cell} schema={props.schema} />
        {props.repetitions > 1 && (
          <span className="muted" title="[ and ] show other repetitions">
            {repetition}/{props.repetitions}
          </span>
        )}
        <span className="output-actions">
          {onRun && cell.status !== 'running' && cell.status !== 'queued' && (
            <RunButton letter={letter} onRun={() => onRun(variantId, caseId)} />
          )}
          {(cell.facts?.runId ?? cell.facts?.spanNodeId) != null && (
            <CellButton
              icon="flag"
              label={`Annotate the output of ${letter}`}
              title="Annotate the output (E)"
              onPress={() => onAnnotate(variantId, caseId)}
            />
          )}
          <CellButton
            icon="expand"
            label={`Open the output of ${letter}`}
            title="Open the whole output (Enter)"
            onPress={() => onOpen(variantId, caseId)}
          />
        </span>
      </div>
    </div>
  );
});

const RunButton = ({ letter, onRun }: { readonly letter: string; readonly onRun: () => void }) => (
  <CellButton
    icon="play"
    className="output-run"
    label={`Run this cell of ${letter}`}
    title="Run this cell"
    onPress={onRun}
  />
);

interface CellButtonProps {
  readonly icon: IconName;
  /** For screen readers: the same button of another cell has another label. */
  readonly label: string;
  readonly title: string;
  readonly className?: string;
  readonly onPress: () => void;
}

const CellButton = ({ icon, label, title, className = '', onPress }: CellButtonProps) => (
  <button
    type="button"
    className={`button bare small icon-only ${className}`}
    aria-label={label}
    title={title}
    onClick={onPress}
  >
    <Icon name={icon} size={12} />
  </button>
);

function State({ cell: { status }, isOld }: { readonly cell: Cell; readonly isOld: boolean }) {
  const label = LABELS[status];
  return (
    <>
      {label !== undefined && <span className="output-label">{label}</span>}
      {isOld && (
        <span className="muted" title="The variant was changed after this run">
          edited since
        </span>
      )}
    </>
  );
}

const LABELS: Readonly<Partial<Record<Cell['status'], string>>> = {
  queued: 'Queued',
  running: 'Running',
  error: 'Error',
  stopped: 'Stopped',
};

function Output({
  cell,
  store,
  caseId,
  repetition,
  diffWith,
  isTall,
  variantId,
  onAddKey,
}: OutputCellProps & { readonly cell: Cell }) {
  const base = useCell(store, diffWith ?? variantId, caseId, repetition);
  const parts: ReactNode[] = [];
  if (cell.error !== undefined)
    parts.push(<ErrorText key="error" text={cell.error} onAddKey={() => onAddKey(variantId)} />);
  if (diffWith !== undefined && base && cell.status === 'done' && base.status === 'done') {
    parts.push(<CellDiff key="diff" left={base} right={cell} isTall={isTall} />);
  } else {
    if (cell.text !== '') parts.push(<Text key="text" cell={cell} isTall={isTall} />);
    for (const call of cell.toolCalls) {
      parts.push(
        <div key={call.id} className="output-call">
          <Icon name="tool" size={12} /> <strong dir="auto">{call.name}</strong>
          <code>{isTall ? call.arguments.slice(0, 4_000) : call.arguments.slice(0, SHORT_CHARS_MAX)}</code>
        </div>,
      );
    }
  }
  if (parts.length === 0) {
    if (cell.status === 'running') return <span className="muted waiting">Waiting for the first text…</span>;
    if (cell.status === 'done') return <span className="muted">The model sent no text.</span>;
  }
  return parts;
}

/** The text is inert: React escapes it, and Markdown shows neither HTML nor images. */
function Text({ cell: { text, status }, isTall }: { readonly cell: Cell; readonly isTall: boolean }) {
  if (isTall && status !== 'running') return <TextView text={text} />;
  const shown = isTall ? text.slice(-12_000) : text.slice(0, SHORT_CHARS_MAX);
  return (
    <div className="text-value" dir="auto">
      {isTall && text.length > shown.length && <span className="muted">{formatCount(text.length)} characters … </span>}
      {shown}
      {status === 'running' && <span className="output-caret" aria-hidden="true" />}
    </div>
  );
}

function ErrorText({ text, onAddKey }: { readonly text: string; readonly onAddKey: () => void }) {
  return (
    <div className="output-error">
      <span className="error-text" dir="auto">
        {text.slice(0, 2_000)}
      </span>
      {isKeyProblem(text) && (
        <button type="button" className="button small" onClick={onAddKey}>
          Set the key
        </button>
      )}
    </div>
  );
}
