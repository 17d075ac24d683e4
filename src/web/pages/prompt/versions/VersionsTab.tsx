import { useMemo } from 'react';
import { Failure, FailureLine } from '../../../components/Failure.tsx';
import { isColumnChoice, NO_CHOICE } from '../../../components/table/column.ts';
import { DataTable } from '../../../components/table/DataTable.tsx';
import { send } from '../../../data/request.ts';
import { useRows } from '../../../data/use-rows.ts';
import { useTimeFormat } from '../../../format/times.ts';
import { useStoredState } from '../../../preferences/stored-state.ts';
import { appUrl } from '../../../router/app-url.ts';
import { navigate } from '../../../router/location.ts';
import { promptPath } from '../../prompts/prompt-row.ts';
import { promptVersionList } from '../generated/prompt.ts';
import type { PromptTabProps, VersionRow } from '../prompt-head.ts';
import { VersionPage } from './VersionPage.tsx';
import { versionColumns } from './version-columns.tsx';

const PAGE_COUNT = 50;

const rowId = ({ id }: VersionRow): string => id;

/** The versions of a prompt, or one of them. */
export function VersionsTab(props: PromptTabProps) {
  const { versionId } = props;
  if (versionId !== undefined) return <VersionPage key={versionId} {...props} versionId={versionId} />;
  return <VersionList {...props} />;
}

async function readVersions(id: string, after: string | undefined, signal: AbortSignal) {
  const { node } = await send(promptVersionList, { id, first: PAGE_COUNT, after: after ?? null }, signal);
  if (node.__typename !== 'Prompt') return { rows: [], next: undefined };
  const { edges, pageInfo } = node.promptVersions;
  return {
    rows: edges.map((edge) => edge.node),
    next: pageInfo.hasNextPage ? (pageInfo.endCursor ?? undefined) : undefined,
  };
}

function VersionList({ prompt }: PromptTabProps) {
  const times = useTimeFormat();
  const [choice, setChoice] = useStoredState('columns.promptVersions', NO_CHOICE, isColumnChoice);
  const list = useRows(
    [promptVersionList.name, prompt.id],
    (after, signal) => readVersions(prompt.id, after, signal),
    rowId,
  );
  const columns = useMemo(() => versionColumns(prompt.id, times), [prompt.id, times]);
  const { rows, failure } = list;
  if (failure && rows.length === 0) return <Failure failure={failure} onRetry={list.retry} />;
  return (
    <DataTable
      label="Versions"
      columns={columns}
      choice={choice}
      onChoice={setChoice}
      rows={rows}
      rowId={rowId}
      isBusy={list.isLoading && rows.length === 0}
      onOpen={({ id }, { metaKey, ctrlKey }) => {
        const path = promptPath(prompt.id, 'versions', id);
        if (metaKey || ctrlKey) window.open(appUrl(path), '_blank');
        else navigate(path);
      }}
      onEnd={list.isComplete ? undefined : list.loadMore}
      foot={failure && <FailureLine failure={failure} onRetry={list.retry} />}
      empty={<p className="muted">The prompt has no versions.</p>}
    />
  );
}
