import * as ariakit from '@ariakit/react';
import { useEffect, useRef, useState } from 'react';
import { Dialog } from '../../../components/Dialog.tsx';
import { Problem } from '../../../components/Problem.tsx';
import { toast } from '../../../components/toasts.tsx';
import { type DownloadProgress, type DownloadRequest, download } from '../../../data/download.ts';
import { toFailure } from '../../../data/request.ts';
import { formatBytes, formatCount } from '../../../format/numbers.ts';

/** Exported spans: those that a filter selects in a range, or all spans of traces by OpenTelemetry ID. */
export type ExportSelection =
  | {
      readonly filter: string;
      readonly isRootsOnly: boolean;
      readonly timeRange: { readonly start?: string; readonly end?: string };
    }
  | { readonly traceIds: readonly string[] };

interface ExportSpansProps {
  readonly projectId: string;
  /** Description of the selection. */
  readonly what: string;
  readonly selection: ExportSelection;
  readonly onClose: () => void;
}

const FORMATS = [
  { id: 'jsonl', label: 'JSON lines', about: 'All data of a span, with annotations; can be imported again' },
  { id: 'csv', label: 'CSV', about: 'For spreadsheets; import the columns as text' },
  { id: 'parquet', label: 'Parquet', about: 'For notebooks and data warehouses; typed columns' },
  { id: 'otlp-json', label: 'OTLP JSON', about: 'The format of exporters, without annotations' },
] as const;

/** Downloads spans as a file, shows the progress, and can be cancelled. */
export function ExportSpans({ projectId, what, selection, onClose }: ExportSpansProps) {
  const [format, setFormat] = useState<(typeof FORMATS)[number]['id']>('jsonl');
  const [progress, setProgress] = useState<DownloadProgress>();
  const [problem, setProblem] = useState<string>();
  const running = useRef<AbortController>(undefined);
  const [isBusy, setBusy] = useState(false);
  useEffect(() => () => running.current?.abort(), []);
  const start = async () => {
    const controller = new AbortController();
    running.current = controller;
    setBusy(true);
    setProblem(undefined);
    setProgress(undefined);
    try {
      await download(toRequest(projectId, format, selection), `spans.${format}`, controller.signal, setProgress);
      toast('The export is complete.');
      onClose();
    } catch (error) {
      if (!controller.signal.aborted) setProblem(toFailure(error).message);
      setBusy(false);
    }
  };
  const stop = () => {
    running.current?.abort();
    setProgress(undefined);
    setBusy(false);
  };
  return (
    <Dialog title={`Export ${what}`} isOpen onClose={onClose}>
      <fieldset className="bulk-formats" disabled={isBusy}>
        <legend className="visually-hidden">File format</legend>
        {FORMATS.map(({ id, label, about }) => (
          <label key={id}>
            <input type="radio" name="format" checked={format === id} onChange={() => setFormat(id)} />
            <span>
              <strong>{label}</strong>
              <br />
              <span className="muted">{about}</span>
            </span>
          </label>
        ))}
      </fieldset>
      {isBusy && <Progress progress={progress} />}
      <Problem text={problem} />
      <div className="dialog-actions">
        {isBusy ? (
          <button type="button" className="button" onClick={stop}>
            Stop
          </button>
        ) : (
          <ariakit.DialogDismiss className="button">Cancel</ariakit.DialogDismiss>
        )}
        <button type="button" className="button primary" disabled={isBusy} onClick={() => void start()}>
          Export
        </button>
      </div>
    </Dialog>
  );
}

function Progress({ progress }: { readonly progress: DownloadProgress | undefined }) {
  const share =
    progress?.totalBytes !== undefined
      ? progress.bytes / Math.max(1, progress.totalBytes)
      : progress?.spanCount
        ? progress.lineCount / progress.spanCount
        : undefined;
  return (
    <div className="bulk-progress">
      <progress aria-label="Downloaded" {...(share === undefined ? {} : { value: Math.min(1, share) })} />
      <span className="muted" role="status">
        {progress ? formatBytes(progress.bytes) : 'Preparing the file…'}
        {progress?.spanCount !== undefined && ` of ${formatCount(progress.spanCount)} spans`}
      </span>
    </div>
  );
}

function toRequest(projectId: string, format: string, selection: ExportSelection): DownloadRequest {
  const path = `v1/projects/${encodeURIComponent(projectId)}/spans/export`;
  if ('traceIds' in selection) return { path, body: { format, trace_ids: selection.traceIds } };
  const { filter, isRootsOnly, timeRange } = selection;
  const query = new URLSearchParams({ format });
  if (filter !== '') query.set('filter_condition', filter);
  if (isRootsOnly) query.set('root_spans_only', 'true');
  if (timeRange.start !== undefined) query.set('start_time', timeRange.start);
  if (timeRange.end !== undefined) query.set('end_time', timeRange.end);
  return { path: `${path}?${query}` };
}
