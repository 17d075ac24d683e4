import { authorOf, type Caller } from '../../model/access/caller.ts';
import type { UploadPlan, UploadResult } from '../../model/dataset.ts';
import { UPLOAD_STATE_COUNT_MAX } from '../../model/limits/datasets.ts';

/** Progress of an upload. Nothing is stored before `stored`, and nothing after `failed`. */
export type UploadPhase = 'receiving' | 'reading' | 'writing' | 'stored' | 'planned' | 'failed';

/** What an upload did, without the contents that its response shows. */
export interface UploadOutcome {
  /** Undefined if only the plan was computed, or rows were rejected. */
  readonly stored: UploadResult | undefined;
  readonly plan: UploadPlan;
  readonly rejectedCount: number;
}

/** State of one upload, for a client that shows its progress or lost its connection. */
export class UploadState {
  phase: UploadPhase = 'receiving';
  /** Rows read so far. */
  rowCount = 0;
  /** Present when it has ended without a failure. */
  outcome: UploadOutcome | undefined;
  /** Why it failed. */
  problem: string | undefined;
  /** Settles when the upload has ended, also with a failure. */
  readonly ended: Promise<void>;
  #settle: () => void = () => {};

  constructor() {
    this.ended = new Promise((resolve) => {
      this.#settle = resolve;
    });
  }

  countRow(): number {
    this.phase = 'reading';
    return ++this.rowCount;
  }

  startWriting(): void {
    this.phase = 'writing';
  }

  end(outcome: UploadOutcome): void {
    // Contents of examples do not stay in memory.
    const plan = { ...outcome.plan, created: [], changed: [], deleted: [] };
    this.outcome = { ...outcome, plan };
    this.phase = outcome.stored ? 'stored' : 'planned';
    this.#settle();
  }

  fail(problem: string): void {
    this.phase = 'failed';
    this.problem = problem;
    this.#settle();
  }
}

/** States of the latest uploads of this server process, by the IDs that their clients chose. */
export interface UploadStates {
  /** A second upload with the ID replaces the first. */
  start(caller: Caller, id: string): UploadState;
  /** Undefined for an upload of another user, and after a restart of the server. */
  find(caller: Caller, id: string): UploadState | undefined;
}

export function createUploadStates(): UploadStates {
  const states = new Map<string, UploadState>();
  const keyOf = (caller: Caller, id: string): string => `${authorOf(caller) ?? ''} ${id}`;
  return {
    start(caller, id) {
      const key = keyOf(caller, id);
      const state = new UploadState();
      states.delete(key);
      states.set(key, state);
      for (const oldest of states.keys()) {
        if (states.size <= UPLOAD_STATE_COUNT_MAX) break;
        states.delete(oldest);
      }
      return state;
    },
    find: (caller, id) => states.get(keyOf(caller, id)),
  };
}

/** Starts the state of an upload. Without an ID, only the caller of this function knows it. */
export const startUpload = (
  { uploadStates, caller }: { readonly uploadStates: UploadStates; readonly caller: Caller },
  id: string | undefined,
): UploadState => (id === undefined ? new UploadState() : uploadStates.start(caller, id));

/** The state of an upload of the caller. Undefined if this server process has none. */
export const findUpload = (
  { uploadStates, caller }: { readonly uploadStates: UploadStates; readonly caller: Caller },
  id: string,
): UploadState | undefined => uploadStates.find(caller, id);
