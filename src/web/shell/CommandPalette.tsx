import * as ariakit from '@ariakit/react';
import { useState } from 'react';
import { useAccess } from '../access/use-access.ts';
import { Icon, type IconName } from '../components/Icon.tsx';
import { loadSample } from '../components/sample/create-sample.ts';
import { DeleteSample } from '../components/sample/DeleteSample.tsx';
import { createSample, deleteSample } from '../components/sample/generated/sample.ts';
import { useQuery } from '../data/use-query.ts';
import { shownName } from '../format/names.ts';
import { type TimeFormat, useTimeFormat } from '../format/times.ts';
import { PAGE_CONFIG } from '../page-config.ts';
import { TABS } from '../pages/project/project-tabs.ts';
import { openSettingsParts, toSettings } from '../pages/settings/settings-parts.ts';
import { setPreference } from '../preferences/preferences.ts';
import { appUrl } from '../router/app-url.ts';
import { navigate, useLocation } from '../router/location.ts';
import { paletteProjects } from './generated/shell.ts';
import { useResources } from './palette-resources.ts';
import { readVisits, type Visit, type VisitKind } from './visits.ts';

interface Command {
  readonly id: string;
  readonly icon: IconName;
  readonly label: string;
  readonly hint: string;
  readonly run: () => void;
}

/** Number of recent objects that are offered before the user types. */
const RECENT_COUNT = 8;
const RECENT_ICONS: Readonly<Record<VisitKind, IconName>> = {
  project: 'tracing',
  trace: 'chain',
  session: 'list',
  dataset: 'dataset',
  prompt: 'prompt',
};

const go = (to: string) => () => navigate(to);

const PAGES: readonly Command[] = [
  { id: 'projects', icon: 'tracing', label: 'All projects', hint: 'page', run: go('/projects') },
  { id: 'dashboards', icon: 'dashboard', label: 'Dashboards', hint: 'page', run: go('/dashboards') },
  { id: 'datasets', icon: 'dataset', label: 'Datasets', hint: 'page', run: go('/datasets') },
  { id: 'playground', icon: 'playground', label: 'Playground', hint: 'page', run: go('/playground') },
  { id: 'prompts', icon: 'prompt', label: 'Prompts', hint: 'page', run: go('/prompts') },
  { id: 'evaluators', icon: 'evaluator', label: 'Evaluators', hint: 'page', run: go('/evaluators') },
  ...(PAGE_CONFIG.authenticationEnabled
    ? ([{ id: 'profile', icon: 'user', label: 'Profile', hint: 'page', run: go('/profile') }] as const)
    : []),
];

const ACTIONS: readonly Command[] = [
  { id: 'docs', icon: 'book', label: 'REST API', hint: 'page', run: () => location.assign(appUrl('docs')) },
  {
    id: 'graphql',
    icon: 'braces',
    label: 'GraphQL console',
    hint: 'page',
    run: () => location.assign(appUrl('graphql')),
  },
  { id: 'light', icon: 'sun', label: 'Light theme', hint: 'theme', run: () => setPreference('theme', 'light') },
  { id: 'dark', icon: 'moon', label: 'Dark theme', hint: 'theme', run: () => setPreference('theme', 'dark') },
  { id: 'system', icon: 'system', label: 'System theme', hint: 'theme', run: () => setPreference('theme', 'system') },
  {
    id: 'roomy',
    icon: 'list',
    label: 'Comfortable rows',
    hint: 'density',
    run: () => setPreference('density', 'roomy'),
  },
  {
    id: 'compact',
    icon: 'list',
    label: 'Compact rows',
    hint: 'density',
    run: () => setPreference('density', 'compact'),
  },
];

/** Opens recent objects, pages, projects and other objects by name or label, and objects by a pasted ID. */
export function CommandPalette({ onClose }: { readonly onClose: () => void }) {
  const { path } = useLocation();
  const times = useTimeFormat();
  const [text, setText] = useState('');
  // The current page is not offered.
  const [visits] = useState(() =>
    readVisits().filter((visit) => path !== visit.path && !TABS.some(({ id }) => path === `${visit.path}/${id}`)),
  );
  const [isDeletingSample, setDeletingSample] = useState(false);
  const { may } = useAccess();
  const resources = useResources(text.trim());
  const { data } = useQuery(paletteProjects, { name: text.trim() });
  const here = /^\/projects\/[^/]+/.exec(path)?.[0];
  const ofProject: readonly Command[] =
    here === undefined
      ? []
      : [
          ...TABS.map(({ id, label }) => ({
            id: `tab ${id}`,
            icon: 'list' as const,
            label: `${label} of this project`,
            hint: 'page',
            run: go(`${here}/${id}`),
          })),
          {
            id: 'project dashboards',
            icon: 'dashboard',
            label: 'Dashboards of this project',
            hint: 'page',
            run: go(`/dashboards${here}`),
          },
        ];
  const searchText = text.trim().toLowerCase();
  const visited = visits.filter(({ label }) => label.toLowerCase().includes(searchText));
  const recent = visited.slice(0, searchText === '' ? RECENT_COUNT : undefined).map((visit) => toCommand(visit, times));
  const known = new Set(recent.map(({ id }) => id));
  const projects = (data?.projects.edges ?? [])
    .map(({ node }): Command => {
      const to = `/projects/${encodeURIComponent(node.id)}`;
      return { id: to, icon: 'tracing', label: node.name, hint: 'project', run: go(to) };
    })
    .filter(({ id }) => !known.has(id));
  const others = resources
    .filter(({ path: to }) => !known.has(to))
    .map(({ path: to, ...rest }): Command => ({ id: to, run: go(to), ...rest }));
  const samples: readonly Command[] = [
    ...(may(createSample)
      ? [
          {
            id: 'sample',
            icon: 'dataset',
            label: 'Create the sample dataset',
            hint: 'action',
            run: () => void loadSample(),
          } as const,
        ]
      : []),
    ...(may(deleteSample)
      ? [
          {
            id: 'no-sample',
            icon: 'trash',
            label: 'Delete the sample dataset',
            hint: 'action',
            run: () => setDeletingSample(true),
          } as const,
        ]
      : []),
  ];
  const settings = openSettingsParts(may).map(
    ({ id, label, searchLabel = label }): Command => ({
      id: `settings ${id}`,
      icon: 'settings',
      label: searchLabel,
      hint: 'settings',
      run: go(toSettings(id)),
    }),
  );
  const pages = [...ofProject, ...PAGES, ...settings, ...ACTIONS, ...samples].filter(({ label }) =>
    label.toLowerCase().includes(searchText),
  );
  const commands = [
    ...idCommands(text.trim()),
    ...(searchText === '' ? [...recent, ...projects, ...pages] : [...pages, ...recent, ...projects, ...others]),
    ...sessionCommands(text.trim()),
  ];
  const run = (command: Command) => {
    // The question replaces the palette.
    if (command.id !== 'no-sample') onClose();
    command.run();
  };
  if (isDeletingSample) return <DeleteSample onClose={onClose} />;
  return (
    <ariakit.Dialog
      open
      onClose={onClose}
      className="palette"
      backdrop={<div className="backdrop" />}
      aria-label="Search"
    >
      <ariakit.ComboboxProvider open value={text} setValue={setText} includesBaseElement={false} focusLoop>
        <ariakit.Combobox
          autoFocus
          autoSelect="always"
          placeholder="Search by name or label, or paste an ID"
          aria-label="Search"
        />
        <ariakit.ComboboxList alwaysVisible className="palette-list" aria-label="Results">
          {commands.map((command) => (
            <ariakit.ComboboxItem
              key={command.id}
              value={command.id}
              className="menu-item"
              setValueOnClick={false}
              hideOnClick={false}
              focusOnHover
              onClick={() => run(command)}
            >
              <Icon name={command.icon} />
              <span className="grow clip" dir="auto" title={command.label}>
                {shownName(command.label)}
              </span>
              <span className="muted">{command.hint}</span>
            </ariakit.ComboboxItem>
          ))}
          {commands.length === 0 && <p className="menu-title">No results. Search by name, or paste an ID.</p>}
        </ariakit.ComboboxList>
      </ariakit.ComboboxProvider>
    </ariakit.Dialog>
  );
}

const toCommand = ({ kind, path, label, startTime }: Visit, times: TimeFormat): Command => ({
  id: path,
  icon: RECENT_ICONS[kind],
  label,
  hint: startTime === undefined ? `recent ${kind}` : `recent ${kind}, ${times.short(startTime)}`,
  run: go(path),
});

/** Command that opens the object with a pasted ID. */
const toId = (noun: string, id: string, label: string, icon: IconName): Command => ({
  id: `open-${noun}`,
  icon,
  label,
  hint: 'ID',
  run: go(`/redirects/${noun}/${encodeURIComponent(id)}`),
});

const OTEL_ID = /^([0-9a-f]{32}|[0-9a-f]{16})$/i;

/** The length of an OpenTelemetry ID distinguishes traces from spans. */
function idCommands(text: string): readonly Command[] {
  if (!OTEL_ID.test(text)) return [];
  const isTrace = text.length === 32;
  return [toId(isTrace ? 'traces' : 'spans', text, `Open ${isTrace ? 'trace' : 'span'} ${text}`, 'tracing')];
}

/** Other text without spaces may be a session ID. It is offered after certain results. */
const sessionCommands = (text: string): readonly Command[] =>
  text.length >= 4 && !/\s/.test(text) && !OTEL_ID.test(text)
    ? [toId('sessions', text, `Open session ${text}`, 'list')]
    : [];
