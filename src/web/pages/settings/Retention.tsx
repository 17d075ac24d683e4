import { useState } from 'react';
import { FormDialog } from '../../components/FormDialog.tsx';
import { tell } from '../../components/toasts.tsx';
import { send } from '../../data/request.ts';
import { useChange } from '../../data/use-change.ts';
import { useQuery } from '../../data/use-query.ts';
import { describeCron } from './describe-cron.ts';
import { ProjectsField, TextField, toNumber } from './fields.tsx';
import {
  createPolicy,
  deletePolicy,
  patchPolicy,
  type SettingsRetentionData,
  settingsRetention,
} from './generated/settings.ts';
import { describeRule, limitsOf } from './retention-rule.ts';
import { RowActions, SettingsList } from './SettingsList.tsx';

type Policy = SettingsRetentionData['projectTraceRetentionPolicies']['edges'][number]['node'];

/** How long traces are kept. */
export function Retention() {
  const query = useQuery(settingsRetention, {});
  const [edited, setEdited] = useState<Policy | 'new'>();
  const standard = query.data?.defaultProjectTraceRetentionPolicy.id;
  const policies = (query.data?.projectTraceRetentionPolicies.edges ?? []).map(({ node }) => node);
  const projects = (query.data?.projects.edges ?? []).map(({ node }) => node);
  return (
    <SettingsList
      title="Retention"
      about="Which traces are deleted, and when. A project that was given no policy has the default one."
      newLabel="New policy"
      onNew={() => setEdited('new')}
      query={query}
    >
      <ul className="card settings-rows" aria-label="Retention policies">
        {policies.map((policy) => (
          <li key={policy.id} className="config-row">
            <span className="settings-name">
              <strong className="clip">{policy.name}</strong>
              {policy.id === standard && <span className="muted">of all other projects</span>}
            </span>
            <Schedule cron={String(policy.cronExpression)} />
            <span>{describeRule(policy.rule)}</span>
            <span className="muted clip">{projectNames(policy)}</span>
            <RowActions
              name={policy.name}
              onEdit={() => setEdited(policy)}
              onDelete={policy.id === standard ? undefined : () => send(deletePolicy, { id: policy.id })}
              consequence="Its projects get the default policy."
              onDeleted={query.refetch}
            />
          </li>
        ))}
      </ul>
      {edited && (
        <PolicyForm
          policy={edited === 'new' ? undefined : edited}
          isStandard={edited !== 'new' && edited.id === standard}
          projects={projects}
          onClose={() => setEdited(undefined)}
          onSaved={query.refetch}
        />
      )}
    </SettingsList>
  );
}

/** In words where these are few, else as it is written. */
function Schedule({ cron }: { readonly cron: string }) {
  const words = describeCron(cron);
  return words === undefined ? (
    <code title="Minute, hour, day, month, weekday; UTC">{cron}</code>
  ) : (
    <span title={cron}>{words}</span>
  );
}

function projectNames({ projects }: Policy): string {
  const names = projects.edges.map(({ node }) => node.name);
  return names.length > 2 ? `${names.length} projects` : names.join(', ');
}

interface PolicyFormProps {
  readonly policy: Policy | undefined;
  readonly isStandard: boolean;
  readonly projects: readonly { readonly id: string; readonly name: string }[];
  readonly onClose: () => void;
  readonly onSaved: () => void;
}

function PolicyForm({ policy, isStandard, projects, onClose, onSaved }: PolicyFormProps) {
  const limits = policy ? limitsOf(policy.rule) : { days: 0, count: 0 };
  const [name, setName] = useState(policy?.name ?? '');
  const [cron, setCron] = useState(policy ? String(policy.cronExpression) : '0 0 * * 0');
  const [days, setDays] = useState(limits.days > 0 ? String(limits.days) : '');
  const [count, setCount] = useState(limits.count > 0 ? String(limits.count) : '');
  const before = new Set(policy?.projects.edges.map(({ node }) => node.id) ?? []);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(before);
  const change = useChange();
  const submit = () => {
    const maxDays = toNumber(days) ?? 0;
    const maxCount = toNumber(count) ?? 0;
    if (!(maxDays >= 0)) return change.say('Days are a number.');
    if (!Number.isInteger(maxCount) || maxCount < 0) return change.say('The number of traces is a whole one.');
    const rule =
      maxCount === 0
        ? { maxDays: { maxDays } }
        : maxDays === 0
          ? { maxCount: { maxCount } }
          : { maxDaysOrCount: { maxDays, maxCount } };
    const addProjects = [...chosen].filter((id) => !before.has(id));
    const removeProjects = [...before].filter((id) => !chosen.has(id));
    const input = { cronExpression: cron.trim(), rule };
    void change.run(
      () =>
        policy
          ? send(patchPolicy, {
              input: {
                ...input,
                id: policy.id,
                ...(isStandard ? {} : { name: name.trim(), addProjects, removeProjects }),
              },
            })
          : send(createPolicy, { input: { ...input, name: name.trim(), addProjects } }),
      () => {
        tell(`${name.trim()} saved.`);
        onSaved();
        onClose();
      },
    );
  };
  return (
    <FormDialog
      className="settings-form"
      title={policy ? `Edit ${policy.name}` : 'New retention policy'}
      change={change}
      onSubmit={submit}
      onClose={onClose}
    >
      {!isStandard && <TextField label="Name" value={name} onChange={setName} placeholder="A month" />}
      <div className="settings-grid">
        <TextField label="Days" value={days} onChange={setDays} hint="Empty: of any age" />
        <TextField label="Traces" value={count} onChange={setCount} hint="Empty: any number" />
      </div>
      <TextField
        label="When"
        value={cron}
        onChange={setCron}
        isMono
        hint="Cron in UTC, whole hours: 0 3 * * 1-5 is at three on weekdays"
      />
      {!isStandard && <ProjectsField projects={projects} chosen={chosen} onChange={setChosen} />}
    </FormDialog>
  );
}
