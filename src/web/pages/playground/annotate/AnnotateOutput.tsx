import { useEffect } from 'react';
import { AnnotationPane } from '../../../components/annotations/AnnotationPane.tsx';
import { isMine } from '../../../components/annotations/authorship.ts';
import type { Annotations } from '../../../components/annotations/use-annotations.ts';
import { useCell } from '../grid/use-cell.ts';
import type { CellAnnotation } from '../run/cell.ts';
import type { CellAddress, CellStore } from '../run/cell-store.ts';
import { useOutputAnnotations } from './use-output-annotations.ts';

interface AnnotateOutputProps {
  readonly store: CellStore;
  /** Cell of the output. */
  readonly address: CellAddress;
  /** For example `A, case 2`. */
  readonly place: string;
  /** Increases each time the user asks to annotate. */
  readonly focusRequest: number;
  /** Goes on to the next output, when all configs of this one have an annotation. */
  readonly onNext: () => void;
  readonly onClose: () => void;
}

/** Pane beside the grid that annotates the marked output. The cell shows the annotations of the user at once. */
export function AnnotateOutput({ store, address, place, focusRequest, onNext, onClose }: AnnotateOutputProps) {
  const { variantId, caseId, repetition } = address;
  const cell = useCell(store, variantId, caseId, repetition);
  const annotations = useOutputAnnotations(cell?.facts);
  /** Shows a change in the cell at once, because the pane may be at the next output when the server has stored it. */
  const show = (name: string, value: CellAnnotation | undefined) => {
    const others = (store.get(address)?.annotations ?? []).filter((each) => each.name !== name);
    store.apply(address, { type: 'annotate', annotations: value ? [...others, value] : others });
  };
  const shown: Annotations = {
    ...annotations,
    save: async (value, changedId) => {
      const id = await annotations.save(value, changedId);
      show(value.name, { name: value.name, label: value.label, score: value.score });
      return id;
    },
    remove: async (id) => {
      const removed = annotations.annotations.find((each) => each.id === id);
      await annotations.remove(id);
      if (removed && isMine(removed)) show(removed.name, undefined);
    },
  };
  const isRead = annotations.target !== undefined && !annotations.isLoading && annotations.failure === undefined;
  const mine = JSON.stringify(
    annotations.annotations.filter(isMine).map(({ name, label, score }) => ({ name, label, score })),
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text of the annotations identifies them
  useEffect(() => {
    if (isRead) store.apply(address, { type: 'annotate', annotations: JSON.parse(mine) });
  }, [store, variantId, caseId, repetition, mine, isRead]);
  const subject = { id: 'output', label: `Output of ${place}`, annotations: shown };
  return (
    <AnnotationPane
      subjects={[subject]}
      subject={subject}
      onSubject={onNext}
      queue={undefined}
      onNext={onNext}
      focusRequest={focusRequest}
      onDone={onNext}
      nothing={
        cell && cell.facts === undefined && cell.status !== 'queued' && cell.status !== 'running'
          ? 'This output has no trace, so it cannot be annotated.'
          : cell?.facts === undefined
            ? 'Run this cell first. Its output can be annotated as soon as it is complete.'
            : undefined
      }
      onClose={onClose}
    />
  );
}
