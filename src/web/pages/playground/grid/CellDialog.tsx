import { useMemo } from 'react';
import { CopyButton } from '../../../components/CopyButton.tsx';
import { Dialog } from '../../../components/Dialog.tsx';
import { TextDiff } from '../../../components/diff/TextDiff.tsx';
import { Icon } from '../../../components/Icon.tsx';
import {
  type EditedMessage,
  newId,
  type PartBody,
  parseJson,
  type Variant,
} from '../../../components/prompt/variant/variant.ts';
import { Card } from '../../../components/values/Card.tsx';
import { JsonView } from '../../../components/values/JsonView.tsx';
import { TextView } from '../../../components/values/TextView.tsx';
import type { Cell } from '../run/cell.ts';
import type { CellStore } from '../run/cell-store.ts';
import { checkOutput } from '../run/check-schema.ts';
import type { CellsView } from '../use-cells-view.ts';
import type { Column } from '../use-columns.ts';
import { comparedText } from './CellDiff.tsx';
import { CellFactsLine } from './CellFactsLine.tsx';
import { CellScores } from './CellScores.tsx';
import { useCell } from './use-cell.ts';

interface CellDialogProps {
  readonly store: CellStore;
  readonly columns: readonly Column[];
  readonly opened: { readonly variantId: string; readonly caseId: string };
  readonly pinnedId: string;
  readonly view: CellsView;
  /** Changes the variant, whose messages then end with the output. */
  readonly onUse: (variant: Variant) => void;
  readonly onClose: () => void;
}

/** The whole output of a cell, and its differences from the pinned variant. */
export function CellDialog(props: CellDialogProps) {
  const { store, columns, opened, pinnedId, view, onUse, onClose } = props;
  const { repetition, repetitions, showRepetition } = view;
  const { variantId, caseId } = opened;
  const column = columns.find(({ variant }) => variant.id === variantId);
  const pinned = columns.find(({ variant }) => variant.id === pinnedId);
  const cell = useCell(store, variantId, caseId, repetition);
  const base = useCell(store, pinnedId, caseId, repetition);
  if (!column) return null;
  const { letter, variant, schema } = column;
  return (
    <Dialog title={`Output of ${letter}`} isWide isOpen onClose={onClose}>
      {repetitions > 1 && (
        <div className="row">
          <button
            type="button"
            className="button small"
            disabled={repetition === 1}
            onClick={() => showRepetition(repetition - 1)}
          >
            <Icon name="left" size={12} /> Previous
          </button>
          <span>
            Repetition {repetition} of {repetitions}
          </span>
          <button
            type="button"
            className="button small"
            disabled={repetition === repetitions}
            onClick={() => showRepetition(repetition + 1)}
          >
            Next <Icon name="right" size={12} />
          </button>
        </div>
      )}
      {cell ? (
        <>
          {cell.error !== undefined && (
            <p className="error-text" dir="auto">
              {cell.error}
            </p>
          )}
          <Whole cell={cell} schema={schema} />
          {cell.scores.length + cell.annotations.length > 0 && (
            <Card title="Scores">
              <CellScores scores={cell.scores} annotations={cell.annotations} />
              {cell.scores.map(({ name, explanation }) =>
                explanation ? (
                  <p key={name} dir="auto">
                    <span className="muted">{name}:</span> {explanation}
                  </p>
                ) : null,
              )}
            </Card>
          )}
          {pinned && pinned !== column && base && (
            <TextDiff
              title={`Difference from ${pinned.letter}`}
              left={comparedText(base)}
              right={comparedText(cell)}
              labels={{ left: pinned.letter, right: letter }}
            />
          )}
          <div className="row wraps output-foot">
            <CellFactsLine cell={cell} />
          </div>
          <div className="dialog-actions">
            <CopyButton text={comparedText(cell)} label="Copy the output" />
            <button
              type="button"
              className="button"
              disabled={cell.text === '' && cell.toolCalls.length === 0}
              onClick={() => {
                onUse({ ...variant, messages: [...variant.messages, toMessage(cell)] });
                onClose();
              }}
            >
              Add to the messages
            </button>
            <button type="button" className="button primary" onClick={onClose}>
              Close
            </button>
          </div>
        </>
      ) : (
        <p className="muted">This cell has not run.</p>
      )}
    </Dialog>
  );
}

function Whole({
  cell: { text, toolCalls, status },
  schema,
}: {
  readonly cell: Cell;
  readonly schema: Column['schema'];
}) {
  const value = useMemo(() => (/^\s*[[{]/.test(text) ? parseJson(text) : undefined), [text]);
  const verdict = useMemo(
    () => (schema !== undefined && status === 'done' && text !== '' ? checkOutput(text, schema) : undefined),
    [schema, status, text],
  );
  return (
    <>
      {verdict?.type === 'notJson' && <p className="error-text">The output is not JSON.</p>}
      {verdict?.type === 'invalid' && (
        <ul className="error-text">
          {verdict.problems.map((problem) => (
            <li key={problem}>{problem}</li>
          ))}
        </ul>
      )}
      {text !== '' && (
        <Card title="Text" copies={text}>
          {value !== undefined && value !== null && typeof value === 'object' ? (
            <JsonView value={value} openDepth={3} />
          ) : (
            <TextView text={text} />
          )}
        </Card>
      )}
      {toolCalls.map(({ id, name, arguments: given }) => {
        const parsed = parseJson(given);
        return (
          <Card key={id} title={`Calls ${name}`} copies={given}>
            {parsed !== undefined && parsed !== null && typeof parsed === 'object' ? (
              <JsonView value={parsed} openDepth={3} />
            ) : (
              <TextView text={given} isCode />
            )}
          </Card>
        );
      })}
    </>
  );
}

/** The output as the next message of the model. */
function toMessage({ text, toolCalls }: Cell): EditedMessage {
  const bodies: PartBody[] = [
    ...(text === '' ? [] : [{ type: 'text', text } as const]),
    ...toolCalls.map(
      ({ id, name, arguments: given }) => ({ type: 'toolCall', callId: id, name, arguments: given }) as const,
    ),
  ];
  return { id: newId(), role: 'ai', parts: bodies.map((body) => ({ id: newId(), ...body })) };
}
