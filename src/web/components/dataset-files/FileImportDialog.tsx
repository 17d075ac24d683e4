import { type DragEvent, useRef, useState } from 'react';
import {
  CSV_DELIMITERS,
  type CsvDelimiter,
  TEXT_ENCODINGS,
  type TextEncoding,
} from '../../../tabular/text-encoding.ts';
import { formatBytes, formatCount } from '../../format/numbers.ts';
import { Link } from '../../router/Link.tsx';
import { Dialog } from '../Dialog.tsx';
import { InputField } from '../fields.tsx';
import { Icon } from '../Icon.tsx';
import { columnsOf } from './assignment.ts';
import { ColumnRoles } from './ColumnRoles.tsx';
import { FilePreviewTables } from './FilePreviewTables.tsx';
import { RejectedRows } from './RejectedRows.tsx';
import { SendProgressView } from './SendProgressView.tsx';
import type { FileUploadResult } from './send-file.ts';
import { UploadPlanView } from './UploadPlanView.tsx';
import { type FileImport, type TargetDataset, useFileImport } from './use-file-import.ts';
import './dataset-files.css';

interface FileImportDialogProps {
  /** Dataset to change. Absent: the file creates one. */
  readonly dataset?: TargetDataset;
  readonly onClose: () => void;
  /** Called when examples are stored, while the dialog still shows the result. */
  readonly onDone: (datasetId: string) => void;
}

/**
 * Creates a dataset from a file, or changes one: choose the file, assign its columns, see the changes of an existing dataset,
 * and store all rows in one transaction.
 */
export function FileImportDialog({ dataset, onClose, onDone }: FileImportDialogProps) {
  const state = useFileImport(dataset, onDone);
  const { step, message } = state;
  return (
    <Dialog
      title={dataset ? `Update ${dataset.name} from a file` : 'New dataset from a file'}
      isWide
      isOpen
      // A click outside must not lose the assignment or stop an upload.
      isRequired={step.kind !== 'file' && step.kind !== 'done'}
      onClose={onClose}
    >
      <div className="file-import">
        {message && (
          <p className={message.isProblem ? 'error-text' : undefined} role={message.isProblem ? 'alert' : 'status'}>
            {message.text}
          </p>
        )}
        {step.kind === 'file' && <ChooseFile state={state} onClose={onClose} />}
        {step.kind === 'columns' && <Columns state={state} dataset={dataset} onClose={onClose} />}
        {step.kind === 'sending' && <SendProgressView step={step} onCancel={state.cancel} />}
        {step.kind === 'plan' && (
          <>
            <UploadPlanView plan={step.result.plan} />
            <Rejected state={state} result={step.result} />
            <div className="dialog-actions">
              <button type="button" className="button" onClick={state.back}>
                Back
              </button>
              <button
                type="button"
                className="button primary"
                onClick={() => void state.upload(false, step.result.rejected_count > 0, step.versionId)}
              >
                {step.result.rejected_count > 0 ? 'Apply without the rejected rows' : 'Apply changes'}
              </button>
            </div>
          </>
        )}
        {step.kind === 'rejected' && (
          <>
            <p>Nothing was stored, because some rows are not examples. Correct the file, or store the other rows.</p>
            <Rejected state={state} result={step.result} />
            <div className="dialog-actions">
              <button type="button" className="button" onClick={state.back}>
                Back
              </button>
              <button
                type="button"
                className="button primary"
                disabled={step.result.plan.created_count === 0}
                onClick={() => void state.upload(false, true)}
              >
                Store the other {formatCount(step.result.plan.created_count)} rows
              </button>
            </div>
          </>
        )}
        {step.kind === 'done' && <Done state={state} result={step.result} onClose={onClose} />}
      </div>
    </Dialog>
  );
}

interface StepProps {
  readonly state: FileImport;
  readonly onClose: () => void;
}

function ChooseFile({ state, onClose }: StepProps) {
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const [file] = event.dataTransfer.files;
    if (file) void state.open(file);
  };
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the button in it opens the same choice */}
      <div
        className="file-drop"
        data-over={isOver}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        <input
          ref={input}
          type="file"
          className="visually-hidden"
          tabIndex={-1}
          aria-label="File"
          accept=".csv,.tsv,.txt,.jsonl,.ndjson,.parquet"
          onChange={({ currentTarget }) => {
            const [file] = currentTarget.files ?? [];
            currentTarget.value = '';
            if (file) void state.open(file);
          }}
        />
        <button
          type="button"
          className="button primary"
          disabled={state.isReading}
          onClick={() => input.current?.click()}
        >
          {state.isReading ? 'Reading…' : 'Choose a file'}
        </button>
        <p className="muted">or drop it here: CSV, JSONL or Parquet, up to 4 GiB</p>
      </div>
      <div className="dialog-actions">
        <button type="button" className="button" onClick={onClose}>
          Cancel
        </button>
      </div>
    </>
  );
}

function Columns({ state, dataset, onClose }: StepProps & { readonly dataset: TargetDataset | undefined }) {
  const { file, preview, assignment, setAssignment, settings, setSettings } = state;
  if (!file || !preview || !assignment) return null;
  const hasInput = columnsOf(preview.columns, assignment, 'input').length > 0;
  const hasId = columnsOf(preview.columns, assignment, 'id').length > 0;
  const problem = !hasInput
    ? 'Assign at least one column to Input.'
    : !dataset && settings.name.trim() === ''
      ? 'Enter a name.'
      : undefined;
  return (
    <form
      className="dialog-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (problem === undefined) void state.upload(dataset !== undefined, false);
      }}
    >
      <FileLine state={state} />
      {dataset ? (
        <fieldset className="file-actions">
          <legend className="visually-hidden">Examples that the file lacks</legend>
          <label>
            <input
              type="radio"
              name="replaces"
              checked={!settings.replaces}
              onChange={() => setSettings({ ...settings, replaces: false })}
            />{' '}
            Keep examples that the file lacks
          </label>
          <label>
            <input
              type="radio"
              name="replaces"
              checked={settings.replaces}
              onChange={() => setSettings({ ...settings, replaces: true })}
            />{' '}
            Delete examples that the file lacks
          </label>
          <p className="muted">
            {hasId
              ? 'Rows are matched with stored examples by their example ID.'
              : 'Without an example ID, a row matches the stored example with the same content, so every other row is added.'}
          </p>
        </fieldset>
      ) : (
        <div className="file-names">
          <InputField
            label="Name"
            dir="auto"
            value={settings.name}
            onChange={(value) => setSettings({ ...settings, name: value })}
          />
          <InputField
            label="Description"
            dir="auto"
            value={settings.description}
            onChange={(value) => setSettings({ ...settings, description: value })}
          />
        </div>
      )}
      <p className="muted">Drag the columns, or focus one and press the key of its use. The arrow keys move it, too.</p>
      <ColumnRoles columns={preview.columns} assignment={assignment} onChange={setAssignment} />
      <FilePreviewTables preview={preview} assignment={assignment} />
      <div className="dialog-actions">
        {problem && <span className="muted grow">{problem}</span>}
        <button type="button" className="button" onClick={onClose}>
          Cancel
        </button>
        <button type="submit" className="button primary" disabled={problem !== undefined}>
          {dataset ? 'Show changes' : 'Create dataset'}
        </button>
      </div>
    </form>
  );
}

const ENCODING_NAMES: Readonly<Record<TextEncoding, string>> = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16',
  'utf-16be': 'UTF-16 big-endian',
  'windows-1252': 'Windows-1252',
};
const DELIMITER_NAMES: Readonly<Record<CsvDelimiter, string>> = {
  ',': 'Comma',
  ';': 'Semicolon',
  '\t': 'Tab',
  '|': 'Vertical bar',
};

/** Name and size of the file, and how its text is read. */
function FileLine({ state: { file, preview, open } }: { readonly state: FileImport }) {
  if (!file || !preview) return null;
  const { encoding, delimiter } = preview;
  return (
    <div className="row file-line">
      <strong className="clip" dir="auto">
        {file.name}
      </strong>
      <span className="muted">{formatBytes(file.size)}</span>
      <span className="grow" />
      {encoding !== undefined && (
        <label>
          Encoding{' '}
          <select
            className="input"
            value={encoding}
            onChange={(event) =>
              void open(file, { encoding: event.target.value as TextEncoding, delimiter }, preview.format)
            }
          >
            {TEXT_ENCODINGS.map((each) => (
              <option key={each} value={each}>
                {ENCODING_NAMES[each]}
              </option>
            ))}
          </select>
        </label>
      )}
      {delimiter !== undefined && (
        <label>
          Delimiter{' '}
          <select
            className="input"
            value={delimiter}
            onChange={(event) =>
              void open(file, { encoding, delimiter: event.target.value as CsvDelimiter }, preview.format)
            }
          >
            {CSV_DELIMITERS.map((each) => (
              <option key={each} value={each}>
                {DELIMITER_NAMES[each]}
              </option>
            ))}
          </select>
        </label>
      )}
    </div>
  );
}

function Rejected({
  state: { file, preview },
  result,
}: {
  readonly state: FileImport;
  readonly result: FileUploadResult;
}) {
  const { format, delimiter = ',', columns = [] } = preview ?? {};
  const quote = (name: string) => (/["\r\n,;\t|]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name);
  const header = format === 'csv' ? `${columns.map(({ name }) => quote(name)).join(delimiter)}\n` : '';
  return <RejectedRows result={result} fileName={file?.name ?? 'rows'} header={header} />;
}

function Done({ state, result, onClose }: StepProps & { readonly result: FileUploadResult }) {
  const { created, updated, deleted, dataset_id } = result.stored!;
  const parts = [
    created > 0 && `${formatCount(created)} added`,
    updated > 0 && `${formatCount(updated)} changed`,
    deleted > 0 && `${formatCount(deleted)} deleted`,
  ].filter((part) => part !== false);
  return (
    <>
      <p role="status">
        <Icon name="check" size={14} /> The file is stored:{' '}
        {parts.length > 0 ? parts.join(', ') : 'nothing had changed'}.
      </p>
      <Rejected state={state} result={result} />
      <div className="dialog-actions">
        <button type="button" className="button" onClick={onClose}>
          Close
        </button>
        <Link to={`/datasets/${encodeURIComponent(dataset_id)}/examples`} className="button primary" onClick={onClose}>
          Open the examples
        </Link>
      </div>
    </>
  );
}
