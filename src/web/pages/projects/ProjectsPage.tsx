import { useRef, useState } from 'react';
import { useAccess } from '../../access/use-access.ts';
import { Failure, FailureLine } from '../../components/Failure.tsx';
import { Icon } from '../../components/Icon.tsx';
import type { RowPage } from '../../data/merge-rows.ts';
import { send } from '../../data/request.ts';
import { usePoll } from '../../data/use-poll.ts';
import { useRows } from '../../data/use-rows.ts';
import { setPreference, usePreferences } from '../../preferences/preferences.ts';
import { setSearch, useLocation } from '../../router/location.ts';
import { PageHeader } from '../../shell/PageHeader.tsx';
import { TimeRangePicker } from '../../time-range/TimeRangePicker.tsx';
import { boundsAt, toApiRange, useChosenRange } from '../../time-range/time-range.ts';
import { createProject, projectList } from './generated/projects.ts';
import { NewProject } from './NewProject.tsx';
import { ProjectCard } from './ProjectCard.tsx';
import { ProjectsTable } from './ProjectsTable.tsx';
import type { ProjectRow } from './project-row.ts';
import { SampleProject } from './SampleProject.tsx';
import './projects.css';

const PAGE_COUNT = 24;
const REREAD_MS = 60_000;

/** Distance from the end of the list at which the next page is requested. */
const NEAR_END_PX = 300;

/** All projects, most recently active first. */
export function ProjectsPage() {
  const { search } = useLocation();
  const { projectsView } = usePreferences();
  const { may } = useAccess();
  const range = useChosenRange();
  const [isCreating, setCreating] = useState(false);
  const searchText = search.get('search') ?? '';
  // Continuous typing is one step of the browser history. While the user types, this is the current text of the step.
  const typed = useRef<string>(undefined);
  const seek = (text: string) => {
    setSearch({ search: text || null }, { replaces: typed.current === searchText });
    typed.current = text;
  };
  const col = search.get('sort') === 'name' ? 'name' : 'endTime';
  const load = async (after: string | undefined, signal: AbortSignal): Promise<RowPage<ProjectRow>> => {
    const { projects } = await send(
      projectList,
      {
        first: PAGE_COUNT,
        after: after ?? null,
        sort: { col, dir: col === 'name' ? 'asc' : 'desc' },
        filter: searchText === '' ? null : { col: 'name', value: searchText },
        timeRange: toApiRange(boundsAt(range, Date.now())),
      },
      signal,
    );
    return {
      rows: projects.edges.map(({ node }) => node),
      next: projects.pageInfo.hasNextPage ? (projects.pageInfo.endCursor ?? undefined) : undefined,
    };
  };
  const list = useRows([projectList.name, range, col, searchText], load, ({ id }) => id);
  const { rows, failure, isLoading, isComplete, refresh } = list;
  usePoll(() => refresh(), REREAD_MS);
  const isFresh = searchText === '' && isComplete && rows.length > 0 && rows.every(({ hasTraces }) => !hasTraces);
  return (
    <>
      <PageHeader crumbs={[{ label: 'Projects' }]}>
        <TimeRangePicker />
        {may(createProject) && (
          <button type="button" className="button primary" onClick={() => setCreating(true)}>
            <Icon name="plus" size={14} /> Create project
          </button>
        )}
      </PageHeader>
      <div className="table-bar projects-bar">
        <input
          className="input projects-search"
          type="search"
          placeholder="Search projects"
          aria-label="Search projects by name"
          value={searchText}
          onChange={(event) => seek(event.target.value)}
          onBlur={() => {
            typed.current = undefined;
          }}
        />
        <span className="grow" />
        <span className="segments" role="group" aria-label="Sort by">
          <button type="button" aria-pressed={col === 'endTime'} onClick={() => setSearch({ sort: null })}>
            Last activity
          </button>
          <button type="button" aria-pressed={col === 'name'} onClick={() => setSearch({ sort: 'name' })}>
            Name
          </button>
        </span>
        <span className="segments" role="group" aria-label="View">
          {(['grid', 'table'] as const).map((view) => (
            <button
              key={view}
              type="button"
              aria-label={view === 'grid' ? 'Cards' : 'Table'}
              aria-pressed={projectsView === view}
              onClick={() => setPreference('projectsView', view)}
            >
              <Icon name={view === 'grid' ? 'grid' : 'list'} size={14} />
            </button>
          ))}
        </span>
      </div>
      <div
        className="page-body projects-body"
        aria-busy={isLoading}
        onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
          if (scrollHeight - scrollTop - clientHeight < NEAR_END_PX) list.loadMore();
        }}
      >
        {failure && rows.length === 0 ? (
          <Failure failure={failure} onRetry={() => refresh()} />
        ) : projectsView === 'table' ? (
          <ProjectsTable rows={rows} onChanged={() => refresh()} />
        ) : (
          <ul className="project-cards">
            {rows.map((project) => (
              <ProjectCard key={project.id} project={project} onChanged={() => refresh()} />
            ))}
          </ul>
        )}
        {failure && rows.length > 0 && (
          <div className="table-foot">
            <FailureLine failure={failure} onRetry={list.retry} />
          </div>
        )}
        {!isComplete && !failure && (
          <div className="table-foot">
            <button type="button" className="button" disabled={isLoading} onClick={list.loadMore}>
              Load more projects
            </button>
          </div>
        )}
        {rows.length === 0 && !isLoading && !failure && (
          <div className="empty">
            <h2>{searchText === '' ? 'No projects yet' : `No project has “${searchText}” in its name`}</h2>
            <p>A project is created when its first span arrives.</p>
          </div>
        )}
        {isFresh && <SampleProject title="New here? Load sample data" />}
      </div>
      {isCreating && <NewProject onClose={() => setCreating(false)} />}
    </>
  );
}
