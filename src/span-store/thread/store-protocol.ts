import { ERROR_KINDS, type ErrorCode, SpandrelError } from '../../model/errors.ts';
import type { SpanStore, SpanStoreReader } from '../contract/span-store.ts';
import type { StoreChange } from '../contract/store-changes.ts';
import type { StoreCheckpoint } from './span-store-options.ts';

// Messages between the main thread (`store-worker-client.ts`) and the store thread (`store-worker.ts`).

/** Methods of the store that the store thread runs, besides reads. */
export type StoreCalls = Omit<SpanStore, keyof SpanStoreReader> & {
  /** Writes a copy of the database to `spans.backup.duckdb`. */
  backUp(): Promise<void>;
};

export type ToStoreThread =
  | { readonly type: 'call'; readonly id: number; readonly method: string; readonly args: readonly unknown[] }
  | { readonly type: 'cancel'; readonly id: number }
  /** Response to `resolveProjects`, or without `ids` to `removeProject`. */
  | { readonly type: 'projects'; readonly id: number; readonly ids?: ReadonlyMap<string, number> }
  | { readonly type: 'projectsFailed'; readonly id: number; readonly error: ErrorMessage };

export type FromStoreThread =
  /** `reads`: names of the methods of `QueryReader`. */
  | { readonly type: 'opened'; readonly reads: readonly string[] }
  | { readonly type: 'openFailed'; readonly error: ErrorMessage }
  | { readonly type: 'result'; readonly id: number; readonly result: unknown }
  | { readonly type: 'failed'; readonly id: number; readonly error: ErrorMessage }
  | {
      readonly type: 'resolveProjects';
      readonly id: number;
      readonly names: readonly string[];
      readonly position: number;
    }
  | {
      readonly type: 'removeProject';
      readonly id: number;
      readonly project: { readonly rowId: number; readonly name: string };
      readonly position: number;
    }
  | {
      readonly type: 'log';
      readonly level: 'info' | 'warn' | 'error';
      readonly fields: object;
      readonly message: string;
    }
  /** Sent before the result of the write. Without a changeset, any project may have changed. */
  | { readonly type: 'changed'; readonly change: StoreChange | undefined }
  | { readonly type: 'checkpointed'; readonly seconds: number; readonly checkpoint: StoreCheckpoint };

/** An error between threads. Structured cloning would lose its class and code. */
export interface ErrorMessage {
  readonly code?: ErrorCode;
  readonly message: string;
  readonly stack?: string | undefined;
}

export function toErrorMessage(error: unknown): ErrorMessage {
  if (error instanceof SpandrelError) return { code: error.code, message: error.message };
  if (error instanceof Error) return { message: error.message, stack: error.stack };
  return { message: String(error) };
}

export function fromErrorMessage({ code, message, stack }: ErrorMessage): Error {
  if (code !== undefined && Object.hasOwn(ERROR_KINDS, code)) return new SpandrelError(code, message);
  const error = new Error(message);
  if (stack !== undefined) error.stack = stack;
  return error;
}
