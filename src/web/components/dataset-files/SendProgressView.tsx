import { formatBytes, formatCount } from '../../format/numbers.ts';
import type { ImportStep } from './use-file-import.ts';

interface SendProgressViewProps {
  readonly step: Extract<ImportStep, { readonly kind: 'sending' }>;
  readonly onCancel: () => void;
}

/** Progress of an upload: bytes while the file is sent, then rows while the server reads it, or the wait after a lost one. */
export function SendProgressView({ step: { isDryRun, progress }, onCancel }: SendProgressViewProps) {
  return (
    <div className="send-progress">
      <p role="status">{describe(progress)}</p>
      {progress?.phase === 'sending' ? (
        <progress aria-label="Sent" value={progress.bytes} max={progress.totalBytes} />
      ) : (
        <progress aria-label={progress?.phase === 'asking' ? 'Waiting for the server' : 'Reading'} />
      )}
      <p className="muted">
        {isDryRun
          ? 'The server compares the file with the dataset. Nothing is written before you confirm.'
          : 'All rows are stored together at the end, or none.'}
      </p>
      <div className="dialog-actions">
        <button type="button" className="button" onClick={onCancel}>
          {progress?.phase === 'asking' ? 'Stop waiting' : 'Cancel upload'}
        </button>
      </div>
    </div>
  );
}

function describe(progress: SendProgressViewProps['step']['progress']): string {
  if (!progress) return 'Starting…';
  if (progress.phase === 'asking') {
    const start = progress.reason === 'lost' ? 'The connection was lost.' : 'The upload was cancelled.';
    return `${start} Asking the server what it has stored…`;
  }
  if (progress.phase === 'sending') return `Sent ${formatBytes(progress.bytes)} of ${formatBytes(progress.totalBytes)}`;
  const rows = `${formatCount(progress.rowCount)} rows`;
  return progress.phase === 'reading' ? `The server has read ${rows}` : `The server writes ${rows}`;
}
