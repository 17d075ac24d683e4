import { download } from '../../data/download.ts';
import { toFailure } from '../../data/request.ts';
import { Icon } from '../Icon.tsx';
import { MenuItem } from '../Menu.tsx';
import { toast, toastFailure } from '../toasts.tsx';

const FORMS = [
  { label: 'CSV', path: 'csv', extension: 'csv' },
  { label: 'CSV for spreadsheets', path: 'csv?spreadsheet=true', extension: 'csv' },
  { label: 'JSONL', path: 'jsonl', extension: 'jsonl' },
  { label: 'OpenAI fine-tuning JSONL', path: 'jsonl/openai_ft', extension: 'jsonl' },
  { label: 'OpenAI evals JSONL', path: 'jsonl/openai_evals', extension: 'jsonl' },
] as const;

interface DownloadItemsProps {
  readonly datasetId: string;
  readonly name: string;
  /** Version to download. Default: the latest one. */
  readonly versionId?: string | undefined;
}

/** Items of a menu that download the examples of a dataset. */
export function DownloadItems({ datasetId, name, versionId }: DownloadItemsProps) {
  const start = async (path: string, extension: string) => {
    toast(`The download of ${name} has started.`);
    try {
      const [file, query] = path.split('?');
      const search = new URLSearchParams(query);
      if (versionId !== undefined) search.set('version_id', versionId);
      const address = `v1/datasets/${encodeURIComponent(datasetId)}/${file}?${search}`;
      await download({ path: address }, `${name}.${extension}`, new AbortController().signal, () => undefined);
    } catch (error) {
      toastFailure(`${name} could not be downloaded: ${toFailure(error).message}`);
    }
  };
  return FORMS.map(({ label, path, extension }) => (
    <MenuItem key={path} onSelect={() => void start(path, extension)}>
      <Icon name="download" size={14} /> {label}
    </MenuItem>
  ));
}
