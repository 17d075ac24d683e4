import * as ariakit from '@ariakit/react';
import { useState } from 'react';
import { Icon } from '../../components/Icon.tsx';
import { useQuery } from '../../data/use-query.ts';
import { shownName } from '../../format/names.ts';
import { navigate } from '../../router/location.ts';
import { dashboardPath } from './dashboard.ts';
import { dashboardProjects } from './generated/dashboards.ts';

interface ProjectMenuProps {
  readonly projectId: string;
  readonly name: string | undefined;
}

/** Chooses the project whose dashboards are shown. */
export function ProjectMenu({ projectId, name = '…' }: ProjectMenuProps) {
  const store = ariakit.usePopoverStore({ placement: 'bottom-end' });
  const isOpen = ariakit.useStoreState(store, 'open');
  const [text, setText] = useState('');
  const { data } = useQuery(dashboardProjects, isOpen ? { name: text.trim() } : undefined);
  const projects = data?.projects.edges.map(({ node }) => node) ?? [];
  return (
    <>
      <ariakit.PopoverDisclosure store={store} className="button project-choice" aria-label={`Project: ${name}`}>
        <Icon name="tracing" size={14} />
        <span className="clip" dir="auto">
          {shownName(name)}
        </span>
        <Icon name="down" size={12} />
      </ariakit.PopoverDisclosure>
      <ariakit.Popover
        store={store}
        className="popover project-choice-list"
        gutter={4}
        unmountOnHide
        portal
        aria-label="Projects"
      >
        <input
          className="input"
          type="search"
          placeholder="Search projects"
          aria-label="Search projects by name"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <ul>
          {projects.map((project) => (
            <li key={project.id}>
              <button
                type="button"
                className="menu-item"
                aria-current={project.id === projectId}
                onClick={() => {
                  store.hide();
                  navigate(dashboardPath(project.id));
                }}
              >
                <span className="grow clip" dir="auto">
                  {shownName(project.name)}
                </span>
                {project.id === projectId && <Icon name="check" size={14} />}
              </button>
            </li>
          ))}
        </ul>
        {data && projects.length === 0 && <p className="menu-title">No project has this name.</p>}
      </ariakit.Popover>
    </>
  );
}
