import { useState } from 'react';
import { useAccess } from '../../access/use-access.ts';
import { FormDialog } from '../../components/FormDialog.tsx';
import { toast } from '../../components/toasts.tsx';
import { send } from '../../data/request.ts';
import { useAllPages } from '../../data/use-all-pages.ts';
import { useChange } from '../../data/use-change.ts';
import { useQuery } from '../../data/use-query.ts';
import { describeCron } from './describe-cron.ts';
import { ProjectsField, projectNames, TextField, toNumber, useChoice } from './fields.tsx';
import {
  createPolicy,
  deletePolicy,
  patchPolicy,
  type SettingsRetentionData,
  type SettingsRetentionProjectsData,
  settingsDefaultPolicy,
  settingsRetention,
  settingsRetentionProjects,
} from './generated/settings.ts';
import { describeRule, limitsOf } from './retention-rule.ts';
import { RowActions, SettingsList } from './SettingsList.tsx';

type Policy = SettingsRetentionData['projectTraceRetentionPolicies']['edges'][number]['node'];

const readPolicies = ({ projectTraceRetentionPolicies }: SettingsRetentionData) => projectTraceRetentionPolicies;
const readProjects = ({ projects }: SettingsRetentionProjectsData) => projects;
const NOTHING = {};

/** Retention policies and the projects that use them. */
export function Retention() {
  const list = useAllPages(settingsRetention, readPolicies);
  const ofProjects = useAllPages(settingsRetentionProjects, readProjects);
  const { data } = useQuery(settingsDefaultPolicy, NOTHING);
  const [edited, setEdited] = useState<Policy | 'new'>();
  const { may, isKnown } = useAccess();
  const canEdit = may(patchPolicy);
  const standard = data?.defaultProjectTraceRetentionPolicy.id;
  const projects = ofProjects.items ?? [];
  const projectsOf = (policy: Policy) => projects.filter(({ traceRetentionPolicy: { id } }) => id === policy.id);
  const refetch = () => {
    list.refetch();
    ofProjects.refetch();
  };
  return (
    <SettingsList
      title="Retention policies"
      about={`A policy decides which traces are deleted and when. Projects without a policy of their own use the default policy.${
        isKnown && !canEdit ? ' Only administrators can change policies.' : ''
      }`}
      newLabel="Create policy"
      onNew={may(createPolicy) ? () => setEdited('new') : undefined}
      list={list}
      noun="policies"
      textOf={({ name }) => name}
      row={(policy) => (
        <li key={policy.id} className="config-row">
          <span className="settings-name">
            <strong className="clip">{policy.name}</strong>
            {policy.id === standard && <span className="muted">all other projects</span>}
          </span>
          <Schedule cron={String(policy.cronExpression)} />
          <span>{describeRule(policy.rule)}</span>
          <span className="muted clip">
            {ofProjects.failure
              ? '--'
              : ofProjects.items && policy.id !== standard && projectNames(projectsOf(policy).map(({ name }) => name))}
          </span>
          {standard !== undefined && (
            <RowActions
              name={policy.name}
              onEdit={canEdit ? () => setEdited(policy) : undefined}
              onDelete={
                policy.id === standard || !may(deletePolicy) ? undefined : () => send(deletePolicy, { id: policy.id })
              }
              consequence="Its projects will use the default policy."
              onDeleted={refetch}
            />
          )}
        </li>
      )}
    >
      {edited && (
        <PolicyForm
          policy={edited === 'new' ? undefined : edited}
          isStandard={edited !== 'new' && edited.id === standard}
          projects={projects}
          before={new Set(edited === 'new' ? [] : projectsOf(edited).map(({ id }) => id))}
          onClose={() => setEdited(undefined)}
          onSaved={refetch}
        />
      )}
    </SettingsList>
  );
}

/** Describes a simple schedule in words, and returns any other unchanged. */
function Schedule({ cron }: { readonly cron: string }) {
  const words = describeCron(cron);
  return words === undefined ? (
    <code title="Minute, hour, day, month and weekday in UTC">{cron}</code>
  ) : (
    <span title={cron}>{words}</span>
  );
}

interface PolicyFormProps {
  readonly policy: Policy | undefined;
  readonly isStandard: boolean;
  readonly projects: readonly { readonly id: string; readonly name: string }[];
  /** Projects with this policy. */
  readonly before: ReadonlySet<string>;
  readonly onClose: () => void;
  readonly onSaved: () => void;
}

function PolicyForm({ policy, isStandard, projects, before, onClose, onSaved }: PolicyFormProps) {
  const limits = policy ? limitsOf(policy.rule) : { days: 0, count: 0 };
  const [name, setName] = useState(policy?.name ?? '');
  const [cron, setCron] = useState(policy ? String(policy.cronExpression) : '0 0 * * 0');
  const [days, setDays] = useState(limits.days > 0 ? String(limits.days) : '');
  const [count, setCount] = useState(limits.count > 0 ? String(limits.count) : '');
  const choice = useChoice(before);
  const change = useChange();
  const submit = () => {
    const maxDays = toNumber(days) ?? 0;
    const maxCount = toNumber(count) ?? 0;
    if (!(maxDays >= 0)) return change.say('The number of days must be a number.');
    if (!Number.isInteger(maxCount) || maxCount < 0) return change.say('The number of traces must be an integer.');
    const rule =
      maxCount === 0
        ? { maxDays: { maxDays } }
        : maxDays === 0
          ? { maxCount: { maxCount } }
          : { maxDaysOrCount: { maxDays, maxCount } };
    const { added: addProjects, removed: removeProjects } = choice;
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
        toast(`${name.trim()} saved.`);
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
      {!isStandard && <TextField label="Name" value={name} onChange={setName} placeholder="One month" />}
      <div className="settings-grid">
        <TextField label="Days" value={days} onChange={setDays} hint="Leave empty for no limit" />
        <TextField label="Traces" value={count} onChange={setCount} hint="Leave empty for no limit" />
      </div>
      <TextField
        label="When"
        value={cron}
        onChange={setCron}
        isMono
        hint="Cron expression in UTC with whole hours. For example, 0 3 * * 1-5 means 03:00 on weekdays."
      />
      {!isStandard && <ProjectsField projects={projects} choice={choice} />}
    </FormDialog>
  );
}
