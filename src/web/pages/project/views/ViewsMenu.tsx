import * as ariakit from '@ariakit/react';
import { type FormEvent, useEffect, useState } from 'react';
import { useAccess } from '../../../access/use-access.ts';
import { copyWithToast } from '../../../components/CopyButton.tsx';
import { ProjectSources } from '../../../components/cases/DatasetSources.tsx';
import { ConfirmDialog } from '../../../components/Dialog.tsx';
import { FailureLine } from '../../../components/Failure.tsx';
import { Icon } from '../../../components/Icon.tsx';
import { Problem } from '../../../components/Problem.tsx';
import { type ColumnChoice, isColumnChoice } from '../../../components/table/column.ts';
import { toast } from '../../../components/toasts.tsx';
import { send } from '../../../data/request.ts';
import { useChange } from '../../../data/use-change.ts';
import { useQuery } from '../../../data/use-query.ts';
import { appUrl } from '../../../router/app-url.ts';
import { navigate, useLocation } from '../../../router/location.ts';
import { completeQuery } from '../../../time-range/time-range.ts';
import { tableQuery } from '../../trace/order/table-address.ts';
import type { DataTab } from '../project-tabs.ts';
import { deleteSavedView, type ProjectViewsData, projectViews, saveView } from './generated/views.ts';
import './views.css';

type Project = Extract<ProjectViewsData['node'], { readonly __typename: 'Project' }>;
type View = Project['savedViews'][number];

interface ViewsMenuProps {
  readonly projectId: string;
  readonly tab: Exclude<DataTab, 'metrics'>;
  readonly choice: ColumnChoice;
  readonly onChoice: (choice: ColumnChoice) => void;
}

/** Saved views of a table, shared by all users of the server. An address with only `view` opens one. */
export function ViewsMenu({ projectId, tab, choice, onChoice }: ViewsMenuProps) {
  const store = ariakit.usePopoverStore({ placement: 'bottom-end' });
  const isOpen = ariakit.useStoreState(store, 'open');
  const { search } = useLocation();
  const viewId = search.get('view');
  const { data, failure, refetch } = useQuery(projectViews, isOpen || viewId !== null ? { id: projectId } : undefined);
  const all = data?.node.__typename === 'Project' ? data.node.savedViews : undefined;
  const views = all?.filter((view) => view.tab === tab);
  const current = views?.find(({ id }) => id === viewId);

  const place = (view: View, rest = '') =>
    `/projects/${encodeURIComponent(projectId)}/${tab}?${rest}${rest && '&'}view=${encodeURIComponent(view.id)}`;
  const apply = (view: View, replaces = false) => {
    const layout = readLayout(view.layout);
    if (layout) onChoice(layout);
    navigate(place(view, completeQuery(view.search)), { replaces });
    store.hide();
  };
  // A shared link contains only `view`. Other parameters are changes of the user.
  const isLink = viewId !== null && search.size === 1;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the views have come
  useEffect(() => {
    if (!isLink || !views) return;
    if (current) apply(current, true);
    else navigate(`/projects/${encodeURIComponent(projectId)}/${tab}?${completeQuery('')}`, { replaces: true });
  }, [isLink, views !== undefined, current]);

  const share = (view: View) =>
    void copyWithToast(new URL(appUrl(place(view)), window.location.origin).href, `Copied the link to ${view.name}.`);
  const [toDelete, setToDelete] = useState<View>();
  const { may } = useAccess();
  const canSave = may(saveView);
  return (
    <>
      <ariakit.PopoverDisclosure store={store} className="button" title="Views">
        <Icon name="bookmark" size={14} />{' '}
        {current ? <span className="clip views-name">{current.name}</span> : <span className="bar-label">Views</span>}
      </ariakit.PopoverDisclosure>
      <ariakit.Popover store={store} className="popover views-menu" gutter={4} unmountOnHide portal aria-label="Views">
        {failure && <FailureLine failure={failure} onRetry={refetch} />}
        {views?.length === 0 && (
          <p className="menu-title">
            A view saves the filter, order, time range and columns for all users.
            {canSave && ' Save the first one below.'}
          </p>
        )}
        <ul aria-label="Saved views">
          {views?.map((view) => (
            <li key={view.id} className="menu-item">
              <button
                type="button"
                className="plain-button grow"
                aria-current={view.id === viewId}
                onClick={() => apply(view)}
              >
                <span className="clip" title={view.name}>
                  {view.name}
                </span>
              </button>
              <button
                type="button"
                className="button bare small icon-only"
                aria-label={`Copy the link to ${view.name}`}
                onClick={() => share(view)}
              >
                <Icon name="link" size={12} />
              </button>
              {may(deleteSavedView) && (
                <button
                  type="button"
                  className="button bare small icon-only"
                  aria-label={`Delete ${view.name}`}
                  onClick={() => {
                    store.hide();
                    setToDelete(view);
                  }}
                >
                  <Icon name="trash" size={12} />
                </button>
              )}
            </li>
          ))}
        </ul>
        <ProjectSources projectId={projectId} />
        {canSave && (
          <SaveForm
            projectId={projectId}
            tab={tab}
            choice={choice}
            name={current?.name ?? ''}
            taken={views?.map(({ name }) => name) ?? []}
            onSaved={() => {
              refetch();
              store.hide();
            }}
          />
        )}
      </ariakit.Popover>
      {toDelete && <DeleteView view={toDelete} onClose={() => setToDelete(undefined)} onDeleted={refetch} />}
    </>
  );
}

interface DeleteViewProps {
  readonly view: View;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}

function DeleteView({ view: { id, name }, onClose, onDeleted }: DeleteViewProps) {
  const { isBusy, problem, run } = useChange();
  return (
    <ConfirmDialog
      title={`Delete ${name}?`}
      isOpen
      onClose={onClose}
      consequence="This deletes the view for all users. Links to it open the table with default settings."
      action="Delete view"
      isBusy={isBusy}
      problem={problem}
      onConfirm={() =>
        void run(
          () => send(deleteSavedView, { id }),
          () => {
            toast(`${name} deleted.`);
            onDeleted();
            onClose();
          },
        )
      }
    />
  );
}

interface SaveFormProps extends Omit<ViewsMenuProps, 'onChoice'> {
  readonly name: string;
  readonly taken: readonly string[];
  readonly onSaved: () => void;
}

function SaveForm({ projectId, tab, choice, name: first, taken, onSaved }: SaveFormProps) {
  const [name, setName] = useState(first);
  const { isBusy, problem, run } = useChange();
  const isTaken = taken.includes(name.trim());
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // A view contains the table, without a trace that is open beside it.
    const search = new URLSearchParams(tableQuery(new URLSearchParams(window.location.search)));
    search.delete('view');
    const input = { projectId, tab, name, search: search.toString(), layout: JSON.stringify(choice) };
    void run(
      () => send(saveView, { input }),
      () => {
        toast(`${name.trim()} saved.`);
        onSaved();
      },
    );
  };
  return (
    <form onSubmit={submit}>
      <input
        className="input"
        aria-label="View name"
        placeholder="View name"
        maxLength={100}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <button type="submit" className="button primary" disabled={isBusy || name.trim() === ''}>
        {isTaken ? 'Replace' : 'Save'}
      </button>
      <Problem text={problem} />
    </form>
  );
}

function readLayout(text: string): ColumnChoice | undefined {
  try {
    const layout: unknown = JSON.parse(text);
    return isColumnChoice(layout) ? layout : undefined;
  } catch {
    return undefined;
  }
}
