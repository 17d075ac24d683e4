import type { SpanStoreReader } from '../../span-store/contract/span-store.ts';
import type { AuditParts } from '../access/audit.ts';
import { type BoundToPorts, bindToPorts } from '../bind-to-ports.ts';
import type { Ports } from '../ports.ts';
import { createSpans } from './create-spans.ts';
import { deleteSpan } from './delete-span.ts';
import { countSelected, exportSpanText } from './export-spans.ts';
import { importFile } from './import-file.ts';
import { querySpans } from './tables/query-spans.ts';
import { streamSpanTable } from './tables/stream-span-table.ts';

const OPERATIONS = {
  create: createSpans,
  delete: deleteSpan,
  importFile,
  countSelected,
  exportText: exportSpanText,
  query: querySpans,
  streamTable: streamSpanTable,
};

/** Reads of spans, traces and sessions need no rule, so API layers call the reader. */
export type SpanOperations = SpanStoreReader & BoundToPorts<typeof OPERATIONS>;

export const createSpanOperations = (
  ports: Pick<Ports, 'imports' | 'projects' | 'projectAccess' | 'spans' | 'writes'> & AuditParts,
): SpanOperations =>
  // The reader has over 50 methods, which this object inherits.
  Object.assign(Object.create(ports.spans) as SpanStoreReader, bindToPorts(ports, OPERATIONS));
