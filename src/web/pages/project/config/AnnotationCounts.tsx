import { useState } from 'react';
import { useAccess } from '../../../access/use-access.ts';
import { Failure } from '../../../components/Failure.tsx';
import { FormDialog } from '../../../components/FormDialog.tsx';
import { InputField } from '../../../components/fields.tsx';
import { Icon } from '../../../components/Icon.tsx';
import { toast } from '../../../components/toasts.tsx';
import { send } from '../../../data/request.ts';
import { useChange } from '../../../data/use-change.ts';
import { useQuery } from '../../../data/use-query.ts';
import { formatCount } from '../../../format/numbers.ts';
import { useTimeFormat } from '../../../format/times.ts';
import { fromLocalText } from '../../../time-range/zoned-text.ts';
import {
  type DeleteSpanAnnotationsOfNameVariables,
  deleteSessionAnnotationsOfName,
  deleteSpanAnnotationsOfName,
  deleteTraceAnnotationsOfName,
  projectAnnotationCounts,
} from './generated/config.ts';

const TARGETS = ['span', 'trace', 'session'] as const;

interface NameCount {
  readonly target: (typeof TARGETS)[number];
  readonly name: string;
  readonly count: number;
}

/** Number of names shown. Evaluators may create thousands of names. */
const SHOWN_COUNT = 50;

/** Number of annotations by name, with a button to delete those of a name. */
export function AnnotationCounts({ projectId }: { readonly projectId: string }) {
  const { data, failure, isLoading, refetch } = useQuery(projectAnnotationCounts, { id: projectId });
  const [toDelete, setToDelete] = useState<NameCount>();
  const { may } = useAccess();
  const canDelete = may(deleteSpanAnnotationsOfName);
  const node = data?.node.__typename === 'Project' ? data.node : undefined;
  const [text, setText] = useState('');
  const all = node ? TARGETS.flatMap((target) => node[target].map((each) => ({ target, ...each }))) : [];
  const searchText = text.trim().toLowerCase();
  const rows = all.filter(({ name }) => name.toLowerCase().includes(searchText));
  return (
    <section className="card" aria-label="Annotation counts" aria-busy={isLoading}>
      <h2>Annotation counts</h2>
      {failure && <Failure failure={failure} onRetry={refetch} />}
      {all.length > SHOWN_COUNT && (
        <input
          className="input"
          type="search"
          aria-label="Search names"
          placeholder={`Search ${formatCount(all.length)} names`}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      )}
      {node && all.length === 0 && <p className="muted">This project has no annotations yet.</p>}
      <ul className="project-counts">
        {rows.slice(0, SHOWN_COUNT).map((row) => (
          <li key={`${row.target} ${row.name}`}>
            <span className="clip grow" title={row.name}>
              {row.name}
            </span>
            <span className="muted">
              {formatCount(row.count)} of {row.target}s
            </span>
            {canDelete && (
              <button
                type="button"
                className="button bare small icon-only"
                aria-label={`Delete ${row.name} of ${row.target}s`}
                onClick={() => setToDelete(row)}
              >
                <Icon name="trash" size={13} />
              </button>
            )}
          </li>
        ))}
        {rows.length > SHOWN_COUNT && (
          <li className="muted">{formatCount(rows.length - SHOWN_COUNT)} more. Search to find them.</li>
        )}
        {rows.length === 0 && all.length > 0 && <li className="muted">No names match the search.</li>}
      </ul>
      {toDelete && (
        <DeleteName {...toDelete} projectId={projectId} onClose={() => setToDelete(undefined)} onDone={refetch} />
      )}
    </section>
  );
}

interface DeleteNameProps extends NameCount {
  readonly projectId: string;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

function DeleteName({ projectId, target, name, count, onClose, onDone }: DeleteNameProps) {
  const { timeZone } = useTimeFormat();
  const [before, setBefore] = useState('');
  const change = useChange();
  const end = fromLocalText(before, timeZone);
  const submit = () => {
    const timeRange = end === undefined ? null : { end: new Date(end).toISOString() };
    const input = { projectId, annotationName: name, timeRange };
    let deleted = 0;
    void change.run(
      async () => {
        deleted = await remove(target, input);
      },
      () => {
        toast(`Deleted ${formatCount(deleted)} annotations.`);
        onDone();
        onClose();
      },
    );
  };
  return (
    <FormDialog
      title={`Delete ${name} of ${target}s?`}
      action={end === undefined ? `Delete ${formatCount(count)}` : 'Delete older annotations'}
      isDanger
      change={change}
      onSubmit={submit}
      onClose={onClose}
    >
      <p>This deletes the annotations of all authors for all users. You cannot undo it.</p>
      <InputField
        label="Only annotations created before"
        hint="Leave empty to delete all."
        type="datetime-local"
        step={1}
        value={before}
        onChange={setBefore}
      />
    </FormDialog>
  );
}

type Input = DeleteSpanAnnotationsOfNameVariables['input'];

/** Returns the number of deleted annotations. */
async function remove(target: NameCount['target'], input: Input): Promise<number> {
  switch (target) {
    case 'span':
      return (await send(deleteSpanAnnotationsOfName, { input })).deleteProjectSpanAnnotations.deletedAnnotationCount;
    case 'trace':
      return (await send(deleteTraceAnnotationsOfName, { input })).deleteProjectTraceAnnotations.deletedAnnotationCount;
    case 'session':
      return (await send(deleteSessionAnnotationsOfName, { input })).deleteProjectSessionAnnotations
        .deletedAnnotationCount;
  }
}
