import { formatCount } from '../../format/numbers.ts';
import { Icon } from '../Icon.tsx';
import type { FileUploadResult } from './send-file.ts';

interface RejectedRowsProps {
  readonly result: Pick<FileUploadResult, 'rejected_count' | 'rejected_rows'>;
  readonly fileName: string;
  /** First line of the downloaded file: the header of CSV. */
  readonly header: string;
}

/** Rows that are listed. The download has up to 1,000. */
const SHOWN_COUNT = 100;

/** Rows of a file that are no examples, by line, with a download of them. */
export function RejectedRows({ result, fileName, header }: RejectedRowsProps) {
  const { rejected_count: count, rejected_rows: rows } = result;
  if (count === 0) return null;
  const save = () => {
    const text = header + rows.map((row) => (row.text.endsWith('\n') ? row.text : `${row.text}\n`)).join('');
    const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
    const link = document.createElement('a');
    link.href = url;
    link.download = fileName.replace(/(\.[^.]*)?$/, '-rejected$1');
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), 60_000);
  };
  return (
    <section className="rejected-rows" aria-label="Rejected rows">
      <header className="row">
        <strong className="grow error-text">
          {formatCount(count)} {count === 1 ? 'row is' : 'rows are'} rejected
        </strong>
        <button type="button" className="button small" onClick={save}>
          <Icon name="download" size={12} /> Download{' '}
          {rows.length < count ? `the first ${formatCount(rows.length)}` : count === 1 ? 'it' : 'them'}
        </button>
      </header>
      <ul>
        {rows.slice(0, SHOWN_COUNT).map(({ line, reason, text }) => (
          <li key={line}>
            <span>
              Line {formatCount(line)}: {reason}
            </span>
            <code className="clip" title={text.slice(0, 500)}>
              {text.slice(0, 200)}
            </code>
          </li>
        ))}
      </ul>
      {rows.length > SHOWN_COUNT && <p className="muted">The others are in the download.</p>}
    </section>
  );
}
