import { useEffect, useState } from 'react';
import { Editor } from '../../../components/editor/Editor.tsx';
import { formatJson } from '../../../components/editor/format-json.ts';
import { findJsonProblem } from '../../../components/editor/json-problem.ts';
import { Failure } from '../../../components/Failure.tsx';
import { FormDialog } from '../../../components/FormDialog.tsx';
import { Switch } from '../../../components/values/Card.tsx';
import { useChange } from '../../../data/use-change.ts';
import { useQuery } from '../../../data/use-query.ts';
import { shortId, shownPath } from './example-columns.tsx';
import type { ExampleRow } from './example-list.ts';
import { exampleContent } from './generated/examples.ts';
import { changedFields, type Field, isExact, valueAt, withValue } from './pending-changes.ts';
import type { PendingChanges } from './pending-store.ts';

interface EditValueProps {
  readonly row: Pick<ExampleRow, 'id' | 'externalId'>;
  readonly path: readonly string[];
  readonly pending: PendingChanges;
  readonly onClose: () => void;
}

/** Edits a field of an example, or a value in it, as JSON or plain text. The change is saved together with others. */
export function EditValue(props: EditValueProps) {
  const { row, path } = props;
  const { data, failure, refetch } = useQuery(exampleContent, { id: row.id, versionId: null }, { keeps: false });
  const change = useChange([]);
  const content = data?.node.__typename === 'DatasetExample' ? data.node.content : undefined;
  if (content) return <EditLoaded {...props} content={content} />;
  return (
    <FormDialog
      title={`Edit ${shownPath(path)}`}
      change={change}
      isReady={false}
      action="Apply"
      onSubmit={() => {}}
      onClose={props.onClose}
    >
      {failure ? (
        <Failure failure={failure} onRetry={refetch} />
      ) : content === null ? (
        <p>The example was deleted.</p>
      ) : (
        <div className="skeleton" style={{ height: 140 }} />
      )}
    </FormDialog>
  );
}

interface Content {
  readonly revisionId: string;
  readonly input: string;
  readonly output: string;
  readonly metadata: string;
}

function EditLoaded({ row, path, pending, onClose, content }: EditValueProps & { readonly content: Content }) {
  const [field, ...keys] = path as [Field, ...string[]];
  const fieldText = changedFields(pending.collected, row.id, content)[field] ?? content[field];
  const value = keys.length === 0 ? undefined : valueAt(fieldText, keys);
  const isText = keys.length > 0 && (typeof value === 'string' || value === undefined);
  const [language, setLanguage] = useState<'json' | 'text'>(isText ? 'text' : 'json');
  const [text, setText] = useState(() =>
    keys.length === 0 ? formatJson(fieldText) : isText ? String(value ?? '') : JSON.stringify(value, null, 2),
  );
  const change = useChange([]);
  useEffect(() => void Editor.preload(), []);
  const switchTo = (next: 'json' | 'text') => {
    if (next === 'json') setText(JSON.stringify(text));
    else {
      try {
        const parsed: unknown = JSON.parse(text);
        setText(typeof parsed === 'string' ? parsed : text);
      } catch {
        // A text that is no JSON becomes the value as it is.
      }
    }
    setLanguage(next);
  };
  const isReady = language === 'text' || findJsonProblem(text) === undefined;
  const apply = () => {
    const json = language === 'text' ? JSON.stringify(text) : text;
    if (keys.length === 0) {
      const parsed: unknown = JSON.parse(json);
      if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
        change.say(`${field} must be a JSON object, such as {"question": "…"}.`);
        return;
      }
      pending.add({ kind: 'edit', exampleId: row.id, revisionId: content.revisionId, field, text: json });
    } else if (isExact(fieldText)) {
      const next = withValue(fieldText, keys, json);
      pending.add({ kind: 'edit', exampleId: row.id, revisionId: content.revisionId, field, text: next });
    } else pending.add({ kind: 'set', exampleIds: [row.id], path, value: json });
    onClose();
  };
  return (
    <FormDialog
      title={`Edit ${shownPath(path)} of ${row.externalId ?? shortId(row.id)}`}
      change={change}
      action="Apply"
      isReady={isReady}
      className="example-form"
      onSubmit={apply}
      onClose={onClose}
    >
      {keys.length > 0 && (
        <Switch
          label="Format"
          values={[
            ['text', 'Plain text'],
            ['json', 'JSON'],
          ]}
          value={language}
          onChange={switchTo}
        />
      )}
      <Editor label={shownPath(path)} language={language} value={text} onChange={setText} hasFocusAtFirst />
    </FormDialog>
  );
}
