import { download } from '../../data/download.ts';
import { toFailure } from '../../data/request.ts';
import { toast, toastFailure } from '../toasts.tsx';

const FORMS = [
  { label: 'CSV', path: 'csv', extension: 'csv' },
  { label: 'CSV for spreadsheets', path: 'csv?spreadsheet=true', extension: 'csv' },
  { label: 'JSONL', path: 'jsonl', extension: 'jsonl' },
  { label: 'OpenAI fine-tuning JSONL', path: 'jsonl/openai_ft', extension: 'jsonl' },
  { label: 'OpenAI evals JSONL', path: 'jsonl/openai_evals', extension: 'jsonl' },
] as const;

/** Actions that download the examples of the latest version of a dataset. */
export function downloadActions(datasetId: string, name: string) {
  const start = async (path: string, extension: string) => {
    toast(`The download of ${name} has started.`);
    try {
      const address = `v1/datasets/${encodeURIComponent(datasetId)}/${path}`;
      await download({ path: address }, `${name}.${extension}`, new AbortController().signal, () => undefined);
    } catch (error) {
      toastFailure(`${name} could not be downloaded: ${toFailure(error).message}`);
    }
  };
  return FORMS.map(({ label, path, extension }) => ({
    icon: 'download' as const,
    label,
    onSelect: () => void start(path, extension),
  }));
}
