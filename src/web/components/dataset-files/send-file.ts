import { fetchResponse, RequestFailure } from '../../data/request.ts';
import { checkSession } from '../../data/session.ts';
import { appUrl } from '../../router/app-url.ts';
import type { FileFormat, FilePreview } from './file-preview.ts';

export interface SampleContent {
  readonly input: string;
  readonly output: string;
  readonly metadata: string;
}

export interface UploadSample {
  readonly id: string | null;
  readonly before: SampleContent | null;
  readonly after: SampleContent | null;
}

export interface UploadPlan {
  readonly created_count: number;
  readonly changed_count: number;
  readonly deleted_count: number;
  readonly unchanged_count: number;
  readonly created: readonly UploadSample[];
  readonly changed: readonly UploadSample[];
  readonly deleted: readonly UploadSample[];
}

export interface StoredUpload {
  readonly dataset_id: string;
  readonly version_id: string;
  readonly created: number;
  readonly updated: number;
  readonly deleted: number;
}

export interface RejectedRow {
  readonly line: number;
  readonly reason: string;
  readonly text: string;
}

export interface FileUploadResult {
  readonly stored: StoredUpload | null;
  readonly plan: UploadPlan;
  readonly rejected_count: number;
  readonly rejected_rows: readonly RejectedRow[];
}

interface UploadState {
  readonly phase: 'receiving' | 'reading' | 'writing' | 'stored' | 'planned' | 'failed';
  readonly row_count: number;
  readonly problem: string | null;
  readonly stored: StoredUpload | null;
}

export interface FileToSend {
  readonly file: File;
  readonly preview: FilePreview;
  readonly name: string;
  readonly action: 'create' | 'append' | 'update';
  readonly fields: readonly (readonly [name: string, value: string])[];
  /** Dataset to change, and its version that the user has seen. */
  readonly target?: { readonly datasetId: string; readonly versionId: string | undefined } | undefined;
  readonly isDryRun: boolean;
  readonly skipsRejected: boolean;
}

export type SendProgress =
  | { readonly phase: 'sending'; readonly bytes: number; readonly totalBytes: number }
  | { readonly phase: 'reading' | 'writing'; readonly rowCount: number }
  /** The upload was interrupted, and the page asks the server what it has stored. */
  | { readonly phase: 'asking'; readonly reason: 'cancelled' | 'lost' };

/** What happened to an upload. */
export type SendOutcome =
  | { readonly kind: 'result'; readonly result: FileUploadResult }
  | { readonly kind: 'rejected'; readonly status: number; readonly message: string }
  /** The user cancelled, or the connection was lost. `stored` null: the server has stored nothing. */
  | { readonly kind: 'interrupted'; readonly stored: StoredUpload | null; readonly reason: 'cancelled' | 'lost' }
  /** The connection was lost, and the server does not know the upload: it has restarted, or received nothing. */
  | { readonly kind: 'unknown' }
  /** The upload was interrupted, and the user left before the server said what it has stored. */
  | { readonly kind: 'unanswered' };

const TYPES: Readonly<Record<FileFormat, string>> = {
  csv: 'text/csv',
  jsonLines: 'application/jsonl',
  parquet: 'application/vnd.apache.parquet',
};
const STATE_POLL_MS = 1_000;

interface SendSignals {
  /** Cancels the upload. */
  readonly cancel: AbortSignal;
  /** Ends the questions after an interrupted upload. */
  readonly leave: AbortSignal;
}

/**
 * Sends a file to the server. The browser streams it from disk, so the page does not hold it. Only an XMLHttpRequest reports
 * the bytes that are sent. After a lost connection, the server says what it has stored as soon as it can be reached.
 */
export async function sendFile(
  upload: FileToSend,
  { cancel, leave }: SendSignals,
  onProgress: (progress: SendProgress) => void,
): Promise<SendOutcome> {
  await checkSession();
  const id = crypto.getRandomValues(new Uint32Array(4)).join('-');
  const watch = new AbortController();
  const response = await post(addressOf(upload, id), toForm(upload), cancel, (bytes, totalBytes) => {
    onProgress({ phase: 'sending', bytes, totalBytes });
    if (bytes === totalBytes) void watchState(id, watch.signal, onProgress);
  }).finally(() => watch.abort());
  if (response === 'cancelled' || response === 'lost') {
    onProgress({ phase: 'asking', reason: response });
    return settle(id, response, leave);
  }
  if (response.status !== 200) {
    const message = response.text === '' ? `The server responded with status ${response.status}.` : response.text;
    return { kind: 'rejected', status: response.status, message };
  }
  return { kind: 'result', result: JSON.parse(response.text).data as FileUploadResult };
}

function addressOf({ target, isDryRun, skipsRejected }: FileToSend, id: string): string {
  const query = new URLSearchParams({ upload_id: id });
  if (target) query.set('dataset_id', target.datasetId);
  if (target?.versionId !== undefined) query.set('version_id', target.versionId);
  if (isDryRun) query.set('dry_run', 'true');
  if (skipsRejected) query.set('rejected_rows', 'skip');
  return `v1/dataset_uploads?${query}`;
}

function toForm({ file, preview, name, action, fields }: FileToSend): FormData {
  const form = new FormData();
  form.append('name', name);
  form.append('action', action);
  for (const [key, value] of fields) form.append(key, value);
  const { format, encoding, delimiter } = preview;
  if (delimiter !== undefined) form.append('delimiter', delimiter);
  const type = encoding === undefined ? TYPES[format] : `${TYPES[format]}; charset=${encoding}`;
  // A slice is a reference to the file with another type.
  form.append('file', file.slice(0, file.size, type), file.name);
  return form;
}

function post(
  path: string,
  form: FormData,
  signal: AbortSignal,
  onSent: (bytes: number, totalBytes: number) => void,
): Promise<{ readonly status: number; readonly text: string } | 'cancelled' | 'lost'> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.open('POST', appUrl(path));
    request.upload.addEventListener('progress', ({ loaded, total }) => onSent(loaded, total));
    request.addEventListener('load', () => resolve({ status: request.status, text: request.responseText }));
    request.addEventListener('error', () => resolve('lost'));
    request.addEventListener('abort', () => resolve('cancelled'));
    signal.addEventListener('abort', () => request.abort());
    request.send(form);
  });
}

/** Reports the rows that the server has read until the response arrives. */
async function watchState(id: string, signal: AbortSignal, onProgress: (progress: SendProgress) => void) {
  while (!signal.aborted) {
    const state = await readState(id).catch(() => undefined);
    if (signal.aborted) return;
    if (state?.phase === 'reading' || state?.phase === 'writing') {
      onProgress({ phase: state.phase, rowCount: state.row_count });
    }
    await new Promise((resolve) => setTimeout(resolve, STATE_POLL_MS));
  }
}

/** Asks until the server knows what it has stored of an interrupted upload. */
async function settle(id: string, reason: 'cancelled' | 'lost', leave: AbortSignal): Promise<SendOutcome> {
  while (!leave.aborted) {
    try {
      const state = await readState(id);
      // A cancelled request that the server does not know did not reach it.
      if (!state) return reason === 'cancelled' ? { kind: 'interrupted', stored: null, reason } : { kind: 'unknown' };
      const isEnded = state.phase === 'stored' || state.phase === 'failed' || state.phase === 'planned';
      if (isEnded) return { kind: 'interrupted', stored: state.stored, reason };
    } catch {
      // The server cannot be reached yet.
    }
    await new Promise((resolve) => {
      setTimeout(resolve, STATE_POLL_MS);
      leave.addEventListener('abort', resolve, { once: true });
    });
  }
  return { kind: 'unanswered' };
}

/** Undefined if the server does not know the upload. */
async function readState(id: string): Promise<UploadState | undefined> {
  const response = await fetchResponse(`v1/dataset_uploads/${id}`, 'Upload', {});
  if (response.status === 404) return undefined;
  if (!response.ok) throw new RequestFailure('unavailable', `The server responded with status ${response.status}.`);
  return (await response.json()).data as UploadState;
}
