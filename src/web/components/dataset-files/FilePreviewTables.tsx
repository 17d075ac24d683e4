import { useMemo, useState } from 'react';
import { formatCount } from '../../format/numbers.ts';
import { type Assignment, toExamples } from './assignment.ts';
import type { Cell, FilePreview } from './file-preview.ts';

interface FilePreviewTablesProps {
  readonly preview: FilePreview;
  readonly assignment: Assignment;
}

/** Columns that the preview shows. A file may have 10,000. */
const COLUMN_COUNT = 40;
const CELL_CHARS = 300;

/** The first rows as in the file, and the examples that they become. */
export function FilePreviewTables({ preview, assignment }: FilePreviewTablesProps) {
  const [view, setView] = useState<'examples' | 'file'>('examples');
  const { columns, rows, issues, notes, isWhole, rowCount } = preview;
  const size =
    rowCount === undefined ? 'the first rows' : `${formatCount(rowCount)} ${rowCount === 1 ? 'row' : 'rows'}`;
  return (
    <section aria-label="Preview" className="file-preview">
      <header className="row">
        <span className="segments" role="group" aria-label="Preview">
          <button type="button" aria-pressed={view === 'examples'} onClick={() => setView('examples')}>
            Examples
          </button>
          <button type="button" aria-pressed={view === 'file'} onClick={() => setView('file')}>
            File
          </button>
        </span>
        <span className="muted">
          {formatCount(columns.length)} {columns.length === 1 ? 'column' : 'columns'}, {size}
          {!isWhole && rowCount === undefined && ' of a longer file'}
        </span>
      </header>
      {notes.map((note) => (
        <p key={note} className="muted">
          {note}
        </p>
      ))}
      {issues.length > 0 && (
        <details className="file-issues">
          <summary className="error-text">
            {issues.length === 1 ? 'One row' : `${issues.length} rows`} of this preview will be rejected
          </summary>
          <ul>
            {issues.map(({ line, reason }) => (
              <li key={line}>
                Line {formatCount(line)}: {reason}
              </li>
            ))}
          </ul>
        </details>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it */}
      <div className="file-table" tabIndex={0}>
        {view === 'file' ? (
          <FileTable preview={preview} />
        ) : rows === undefined ? null : (
          <ExampleTable preview={preview} assignment={assignment} />
        )}
      </div>
    </section>
  );
}

function FileTable({ preview: { columns, rows = [] } }: { readonly preview: FilePreview }) {
  const shown = columns.slice(0, COLUMN_COUNT);
  return (
    <>
      <table>
        <thead>
          <tr>
            {shown.map(({ name, type }) => (
              <th key={name} title={name}>
                <span dir="auto">{name}</span> <span className="muted">{type}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other identity
            <tr key={index}>
              {shown.map(({ name }, place) => (
                <td key={name}>{cut(row[place])}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {columns.length > shown.length && (
        <p className="muted">The other {formatCount(columns.length - shown.length)} columns are not shown.</p>
      )}
    </>
  );
}

function ExampleTable({ preview, assignment }: FilePreviewTablesProps) {
  const examples = useMemo(() => toExamples(preview, assignment), [preview, assignment]);
  const hasId = examples.some(({ id }) => id !== undefined);
  const hasSplits = examples.some(({ splits }) => splits.length > 0);
  return (
    <table>
      <thead>
        <tr>
          {hasId && <th>ID</th>}
          <th>Input</th>
          <th>Output</th>
          <th>Metadata</th>
          {hasSplits && <th>Splits</th>}
        </tr>
      </thead>
      <tbody>
        {examples.map(({ id, input, output, metadata, splits }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other identity
          <tr key={index}>
            {hasId && <td>{cut(id)}</td>}
            <td className="mono">{cut(input)}</td>
            <td className="mono">{cut(output)}</td>
            <td className="mono">{cut(metadata)}</td>
            {hasSplits && <td>{splits.join(', ')}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const cut = (cell: Cell): string =>
  cell === undefined ? '' : cell.length > CELL_CHARS ? `${cell.slice(0, CELL_CHARS)}…` : cell;
