import type { CostChange } from '../../span-store/contract/cost-change.ts';
import type { RecordHead } from './journal-format.ts';
import { readJournalHeads } from './journal-reader.ts';

/** Row ids that the records of a journal name or will allocate. */
export interface JournalRowIds {
  /** Greatest row ids of the metadata that the records name. 0 when they name none. */
  readonly project: number;
  readonly model: number;
  /** Spans of the records that are not applied yet. Applying them allocates at most this many row ids. */
  readonly unappliedSpanCount: number;
}

/**
 * Reads the heads of all records, and few payloads: payloads of spans and annotations name no row of the metadata.
 *
 * @param endPosition end of the records, if it is known
 */
export function readJournalRowIds(dir: string, appliedPosition: number, endPosition?: number): JournalRowIds {
  let project = 0;
  let model = 0;
  let unappliedSpanCount = 0;
  for (const { position, head, payload } of readJournalHeads(dir, endPosition)) {
    if (head.kind === 'costs') {
      const ids = idsOfCostChange(payload());
      project = Math.max(project, ids.project);
      model = Math.max(model, ids.model);
    } else {
      project = Math.max(project, projectOf(head));
      if ('spanCount' in head && position >= appliedPosition) unappliedSpanCount += head.spanCount;
    }
  }
  return { project, model, unappliedSpanCount };
}

function projectOf(head: RecordHead): number {
  if (head.kind === 'transfer') return head.transfer.projectId;
  if (head.kind === 'deletion' && 'projectId' in head.deletion) return head.deletion.projectId;
  return 0;
}

function idsOfCostChange(payload: Uint8Array): Pick<JournalRowIds, 'project' | 'model'> {
  try {
    const change = JSON.parse(Buffer.from(payload).toString('utf8')) as CostChange;
    if (change.what === 'recompute') return { project: change.projectId ?? 0, model: 0 };
    const models = JSON.parse(change.models) as readonly { readonly rowId: number }[];
    return { project: 0, model: models.reduce((greatest, { rowId }) => Math.max(greatest, rowId), 0) };
  } catch {
    // The record is damaged and is quarantined when it is applied.
    return { project: 0, model: 0 };
  }
}
