import type { Registry } from 'prom-client';
import type { ByteBudget } from '../base/byte-budget.ts';
import type { Log } from '../base/log.ts';
import type { SpanWriter } from '../span-store/contract/writer.ts';
import type { AdmissionLimits } from './admission.ts';
import type { DecodePoolOptions } from './decode/decode-pool.ts';
import type { JournalOptions } from './journal/journal.ts';
import type { JournalRowIds } from './journal/journal-row-ids.ts';

/** A journal before it is applied. */
export interface JournalState extends JournalRowIds {
  readonly firstPosition: number;
  readonly endPosition: number;
}

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
   * Called once before the first record is applied.
   */
  readonly beforeApplying?: (journal: JournalState) => Promise<void>;
  /**
   * Called when the records that were durable before a restart have been applied. A checkpoint then keeps the next start from
   * applying them again: a server that crashes repeatedly would otherwise have more to apply each time.
   */
  readonly afterReplay?: () => Promise<void>;
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
