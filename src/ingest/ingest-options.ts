import type { Registry } from 'prom-client';
import type { ByteBudget } from '../base/byte-budget.ts';
import type { Log } from '../base/log.ts';
import type { SpanWriter } from '../span-store/contract/writer.ts';
import type { AdmissionLimits } from './admission.ts';
import type { DecodePoolOptions } from './decode/decode-pool.ts';
import type { JournalOptions } from './journal/journal.ts';
import type { JournalRowIds } from './journal/journal-row-ids.ts';

/** Options of `openIngest`. */
export interface IngestOptions {
  /**
   * Directory of the journal; created if it does not exist. Only one process has it open: see `data-directory-lock.ts`.
   */
  readonly dir: string;
  /** A directory on the disk of the span store. Default: `dir`. */
  readonly storeDir?: string;
  /** Only ingest writes to it. */
  readonly writer: SpanWriter;
  readonly log: Log;
  readonly registry: Registry;
  /** Whether the resource attribute `service.name` names the project of spans that name none. Default: false. */
  readonly usesServiceName?: boolean;
  /** Maximum number of spans that wait between journal and store. Undefined: no limit. */
  readonly maxQueuedSpans?: number;
  /**
   * Called once before the first record is applied, with the end of the journal and the row ids that its records name.
   */
  readonly beforeApplying?: (journal: JournalRowIds & { readonly endPosition: number }) => Promise<void>;
  /** The state of the journal is unknown: the process must stop with an error. Acknowledged data is safe. */
  readonly onFatal: (error: Error) => void;
  /** Time for which segments are kept after the store no longer needs them. */
  readonly graceMs?: number;
  /** Budget that the listeners use for incoming bodies. Default: a separate budget. */
  readonly bodyBudget?: ByteBudget;
  /** Smaller limits, for tests. */
  readonly limits?: Omit<AdmissionLimits, 'queuedSpanCountMax'>;
  readonly journal?: Pick<JournalOptions, 'segmentBytes' | 'probeMs' | 'openFile'>;
  readonly pool?: DecodePoolOptions;
}
