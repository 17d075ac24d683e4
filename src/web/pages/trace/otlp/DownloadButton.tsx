import { useState } from 'react';
import { Icon } from '../../../components/Icon.tsx';
import { toastFailure } from '../../../components/toasts.tsx';
import { toFailure } from '../../../data/request.ts';

interface DownloadButtonProps {
  readonly projectId: string;
  readonly traceId: string;
  /** Absent for the whole trace. */
  readonly spanId?: string;
}

/** Downloads a span or trace as OTLP JSON, in the format of exporters. */
export function DownloadButton({ projectId, traceId, spanId }: DownloadButtonProps) {
  const [isBusy, setBusy] = useState(false);
  const what = spanId === undefined ? 'trace' : 'span';
  const download = async () => {
    setBusy(true);
    try {
      const { readOtlp } = await import('./read-otlp.ts');
      const parts = await readOtlp({ projectId, traceId, spanId });
      const link = document.createElement('a');
      link.href = URL.createObjectURL(new Blob([...parts], { type: 'application/json' }));
      link.download = `${what}-${spanId ?? traceId}.otlp.json`;
      link.click();
      URL.revokeObjectURL(link.href);
    } catch (error) {
      toastFailure(toFailure(error).message);
    } finally {
      setBusy(false);
    }
  };
  return (
    <button
      type="button"
      className="button bare small icon-only"
      aria-label={`Download the ${what} as OTLP`}
      title={`Download the ${what} as OTLP JSON`}
      disabled={isBusy}
      onClick={download}
    >
      <Icon name="download" size={13} />
    </button>
  );
}
