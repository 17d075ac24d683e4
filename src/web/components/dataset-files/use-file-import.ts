import { useEffect, useRef, useState } from 'react';
import { invalidate } from '../../data/query-client.ts';
import { RequestFailure, send, toFailure } from '../../data/request.ts';
import { type Assignment, autoAssign, toFields } from './assignment.ts';
import { type FileFormat, type FilePreview, formatOf } from './file-preview.ts';
import { datasetOfName, latestDatasetVersion } from './generated/dataset-files.ts';
import { type PreviewOptions, readPreview } from './read-preview.ts';
import { type FileUploadResult, type SendOutcome, type SendProgress, sendFile } from './send-file.ts';

/** The dataset that a file changes. Absent: the file creates one. */
export interface TargetDataset {
  readonly id: string;
  readonly name: string;
}

/** Progress of an import. */
export type ImportStep =
  | { readonly kind: 'file' }
  | { readonly kind: 'columns' }
  | { readonly kind: 'sending'; readonly isDryRun: boolean; readonly progress: SendProgress | undefined }
  /** The plan for an existing dataset, which is not written yet. */
  | { readonly kind: 'plan'; readonly result: FileUploadResult; readonly versionId: string }
  /** Rows were rejected, so nothing is stored yet. */
  | { readonly kind: 'rejected'; readonly result: FileUploadResult }
  | { readonly kind: 'done'; readonly result: FileUploadResult };

export interface ImportSettings {
  readonly name: string;
  readonly description: string;
  /** Whether examples that the file lacks are deleted. */
  readonly replaces: boolean;
}

export function useFileImport(target: TargetDataset | undefined, onDone: (datasetId: string) => void) {
  const [step, setStep] = useState<ImportStep>({ kind: 'file' });
  const [file, setFile] = useState<File>();
  const [preview, setPreview] = useState<FilePreview>();
  const [assignment, setAssignment] = useState<Assignment>();
  const [message, setMessage] = useState<{ readonly text: string; readonly isProblem: boolean }>();
  const [isReading, setReading] = useState(false);
  const [settings, setSettings] = useState<ImportSettings>({ name: '', description: '', replaces: false });
  const running = useRef<AbortController>(undefined);
  const asking = useRef<AbortController>(undefined);
  useEffect(
    () => () => {
      running.current?.abort();
      asking.current?.abort();
    },
    [],
  );

  const fail = (text: string) => setMessage({ text, isProblem: true });

  async function open(next: File, options: PreviewOptions = {}, format: FileFormat | undefined = formatOf(next.name)) {
    setMessage(undefined);
    if (!format)
      return fail(`${next.name} is not a CSV, JSONL or Parquet file. Its name must end with .csv, .jsonl or .parquet.`);
    if (next.size > FILE_BYTES_MAX) return fail('The file is larger than 4 GiB, the maximum.');
    setReading(true);
    const controller = new AbortController();
    running.current = controller;
    try {
      const read = await readPreview(next, format, options, controller.signal);
      if (read.columns.length === 0) return fail(`${next.name} has no columns.`);
      setFile(next);
      setPreview(read);
      setAssignment(autoAssign(read, target !== undefined));
      if (settings.name === '') setSettings({ ...settings, name: next.name.replace(/\.[^.]*$/, '') });
      setStep({ kind: 'columns' });
    } catch (error) {
      if (!controller.signal.aborted) fail(`${next.name} could not be read: ${toFailure(error).message}`);
    } finally {
      setReading(false);
    }
  }

  async function upload(isDryRun: boolean, skipsRejected: boolean, versionId?: string) {
    if (!file || !preview || !assignment) return;
    const before = step;
    const [cancel, leave] = [new AbortController(), new AbortController()];
    running.current = cancel;
    asking.current = leave;
    setMessage(undefined);
    setStep({ kind: 'sending', isDryRun, progress: undefined });
    try {
      const version = target && (versionId ?? (await findVersion(target.id)));
      const outcome = await sendFile(
        {
          file,
          preview,
          name: target?.name ?? settings.name.trim(),
          action: target ? (settings.replaces ? 'update' : 'append') : 'create',
          fields: [
            ...toFields(preview.columns, assignment),
            ...(target ? [] : [['description', settings.description.trim()] as const]),
          ],
          target: target && { datasetId: target.id, versionId: version },
          isDryRun,
          skipsRejected,
        },
        { cancel: cancel.signal, leave: leave.signal },
        (progress) => setStep({ kind: 'sending', isDryRun, progress }),
      );
      await settle(outcome, isDryRun, version ?? '');
    } catch (error) {
      fail(toFailure(error).message);
      setStep(before);
    }
  }

  async function settle(outcome: SendOutcome, isDryRun: boolean, versionId: string) {
    if (outcome.kind === 'result') {
      const { result } = outcome;
      if (isDryRun) return setStep({ kind: 'plan', result, versionId });
      if (!result.stored) return setStep({ kind: 'rejected', result });
      void invalidate();
      setStep({ kind: 'done', result });
      return onDone(result.stored.dataset_id);
    }
    setStep({ kind: 'columns' });
    if (outcome.kind === 'rejected') {
      return fail(outcome.status === 409 && target ? `${outcome.message}. Show the changes again.` : outcome.message);
    }
    if (outcome.kind === 'interrupted' && !outcome.stored) {
      const text = outcome.reason === 'cancelled' ? 'The upload was cancelled.' : 'The connection was lost.';
      return setMessage({
        text: `${text} Nothing was stored. You can upload the file again.`,
        isProblem: outcome.reason === 'lost',
      });
    }
    void invalidate();
    if (outcome.kind === 'unanswered') {
      return fail(
        'The upload was interrupted, and the server has not said what it has stored: all rows or none. Look at the dataset before you upload the file again.',
      );
    }
    if (outcome.kind === 'interrupted' && outcome.stored) {
      fail('The connection was lost, but the server had received everything: all rows are stored.');
      return onDone(outcome.stored.dataset_id);
    }
    return fail(await describeUnknown(target, settings.name.trim(), versionId));
  }

  return {
    step,
    file,
    preview,
    assignment,
    setAssignment,
    settings,
    setSettings,
    message,
    isReading,
    open,
    upload,
    /** Cancels the upload. During the questions after an interrupted one, ends these. */
    cancel() {
      const isAsking = step.kind === 'sending' && step.progress?.phase === 'asking';
      (isAsking ? asking : running).current?.abort();
    },
    back: () => setStep({ kind: 'columns' }),
  };
}

export type FileImport = ReturnType<typeof useFileImport>;

/** Limit of the server. */
const FILE_BYTES_MAX = 4 * 1024 ** 3;

/** ID of the latest version. Empty for a dataset without versions. */
async function findVersion(id: string): Promise<string> {
  const { node } = await send(latestDatasetVersion, { id });
  if (node.__typename !== 'Dataset') throw new RequestFailure('notFound', 'The dataset was deleted.');
  return node.versions.edges[0]?.node.id ?? '';
}

/** An upload is one transaction, so the dataset tells whether the restarted server had stored it. */
async function describeUnknown(target: TargetDataset | undefined, name: string, versionId: string): Promise<string> {
  const start = 'The connection was lost, and the server does not know the upload.';
  if (target) {
    const isStored = (await findVersion(target.id)) !== versionId;
    return `${start} ${isStored ? 'The dataset has a newer version: all rows are stored.' : 'Nothing was stored. You can upload the file again.'}`;
  }
  const { datasets } = await send(datasetOfName, { name });
  const found = datasets.edges.find(({ node }) => node.name === name)?.node;
  return found
    ? `${start} The dataset ${name} exists with ${found.exampleCount} examples: all rows are stored.`
    : `${start} Nothing was stored. You can upload the file again.`;
}
