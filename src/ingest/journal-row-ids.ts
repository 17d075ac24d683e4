import type { CostChange } from '../span-store/cost-change.ts';
import type { RecordHead } from './journal-format.ts';
import { readJournalHeads } from './journal-reader.ts';

/** Greatest row ids of the metadata that records of a journal name; 0 when there is none. */
export interface JournalRowIds {
  readonly project: number;
  readonly model: number;
}

/** Reads the heads of all records, and the payloads of few: those of spans and annotations name no row of the metadata. */
export function readJournalRowIds(dir: string): JournalRowIds {
  let project = 0;
  let model = 0;
  for (const { head, payload } of readJournalHeads(dir)) {
    if (head.kind === 'costs') {
      const ids = idsOfCostChange(payload());
      project = Math.max(project, ids.project);
      model = Math.max(model, ids.model);
    } else {
      project = Math.max(project, projectOf(head));
    }
  }
  return { project, model };
}

function projectOf(head: RecordHead): number {
  if (head.kind === 'transfer') return head.transfer.projectId;
  if (head.kind === 'deletion' && 'projectId' in head.deletion) return head.deletion.projectId;
  return 0;
}

function idsOfCostChange(payload: Uint8Array): JournalRowIds {
  try {
    const change = JSON.parse(Buffer.from(payload).toString('utf8')) as CostChange;
    if (change.what === 'recompute') return { project: change.projectId ?? 0, model: 0 };
    const models = JSON.parse(change.models) as readonly { readonly rowId: number }[];
    return { project: 0, model: models.reduce((greatest, { rowId }) => Math.max(greatest, rowId), 0) };
  } catch {
    // Damaged, so that it is set aside when its turn comes.
    return { project: 0, model: 0 };
  }
}
