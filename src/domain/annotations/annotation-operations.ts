import type { AuditParts } from '../access/audit.ts';
import { bindToPorts } from '../bind-to-ports.ts';
import type { Ports } from '../ports.ts';
import { addNote } from './add-note.ts';
import { annotateLater, annotateNow } from './annotate.ts';
import { annotateRows } from './annotate-rows.ts';
import { changeAnnotations, removeAnnotations } from './change-annotations.ts';
import { deleteAnnotations } from './delete-annotations.ts';
import { listAnnotations } from './list-annotations.ts';

export const createAnnotationOperations = (ports: Pick<Ports, 'projects' | 'spans' | 'writes'> & AuditParts) =>
  bindToPorts(ports, {
    list: listAnnotations,
    annotateNow,
    annotateLater,
    annotateRows,
    addNote,
    change: changeAnnotations,
    remove: removeAnnotations,
    deleteMatching: deleteAnnotations,
  });

export type AnnotationOperations = ReturnType<typeof createAnnotationOperations>;
