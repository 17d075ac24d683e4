import { type FormEvent, useState } from 'react';
import { useAccess } from '../../../access/use-access.ts';
import { ConfirmDialog } from '../../../components/Dialog.tsx';
import { Failure } from '../../../components/Failure.tsx';
import { Icon } from '../../../components/Icon.tsx';
import { Problem } from '../../../components/Problem.tsx';
import { toast } from '../../../components/toasts.tsx';
import { send } from '../../../data/request.ts';
import { useChange } from '../../../data/use-change.ts';
import { useQuery } from '../../../data/use-query.ts';
import { type ProjectAccessData, projectAccess, removeMember, setMember, setPrivacy } from './generated/config.ts';

type Project = Extract<ProjectAccessData['node'], { readonly __typename: 'Project' }>;
type Member = Project['access']['members'][number];
type Level = Member['level'];

const LEVELS: Readonly<Record<Level, string>> = { READER: 'Reader', EDITOR: 'Editor', OWNER: 'Owner' };

/** Who may use the project. Owners and administrators change it. */
export function Access({ projectId }: { readonly projectId: string }) {
  const { data, failure, refetch } = useQuery(projectAccess, { id: projectId });
  const project = data?.node.__typename === 'Project' ? data.node : undefined;
  return (
    <section className="card" aria-label="Access" aria-busy={project === undefined && !failure}>
      {failure && <Failure failure={failure} onRetry={refetch} />}
      {project && <AccessOf project={project} onSaved={refetch} />}
    </section>
  );
}

interface AccessProps {
  readonly project: Project;
  readonly onSaved: () => void;
}

function AccessOf({ project, onSaved }: AccessProps) {
  const { may, viewer } = useAccess();
  const { isPrivate } = project;
  const { isEnforced, viewerLevel, members } = project.access;
  const canManage = isEnforced && viewerLevel === 'OWNER' && may(setPrivacy);
  return (
    <>
      <header className="row">
        <h2 className="grow">Access</h2>
        {canManage && project.name !== 'default' && <PrivacyButton project={project} onSaved={onSaved} />}
      </header>
      <p className="muted">{describe(project)}</p>
      {isEnforced && (isPrivate || members.length > 0) && (
        <>
          {members.length === 0 && (
            <p className="muted">
              This project has no members. {canManage && 'Add the people and groups who need it.'}
            </p>
          )}
          <ul className="project-members">
            {members.map((member) => (
              <MemberRow
                key={member.user?.id ?? `group ${member.group}`}
                projectId={project.id}
                member={member}
                isViewer={member.user !== null && member.user.id === viewer?.id}
                canManage={canManage}
                onSaved={onSaved}
              />
            ))}
          </ul>
        </>
      )}
      {canManage && (isPrivate || members.length > 0) && <NewMember projectId={project.id} onSaved={onSaved} />}
    </>
  );
}

function describe({ name, isPrivate, access: { isEnforced, viewerLevel } }: Project): string {
  if (!isEnforced) {
    return isPrivate
      ? 'This project is private, but sign-in is off, so everyone can use it. Turn on sign-in to protect it.'
      : 'Everyone can use this project. Private projects need sign-in, which is off.';
  }
  if (name === 'default') return 'Everyone who signs in can use the default project. It cannot be private.';
  if (!isPrivate) return 'Everyone who signs in can use this project.';
  return `Only the members below and administrators find this project. You are ${
    viewerLevel === 'READER' ? 'a reader' : viewerLevel === 'EDITOR' ? 'an editor' : 'an owner'
  }.`;
}

function PrivacyButton({ project, onSaved }: AccessProps) {
  const [isAsking, setAsking] = useState(false);
  const { isBusy, problem, run, say } = useChange();
  const { id, isPrivate, name } = project;
  const ask = () => {
    say(undefined);
    setAsking(true);
  };
  const done = () => {
    setAsking(false);
    toast(isPrivate ? `${name} is open to everyone.` : `${name} is private.`);
    onSaved();
  };
  const action = isPrivate ? 'Make open' : 'Make private';
  return (
    <>
      <button type="button" className="button small" onClick={ask}>
        {action}
      </button>
      <ConfirmDialog
        title={`${action}?`}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        consequence={
          isPrivate
            ? 'Everyone who signs in will find this project and everything in it.'
            : 'Only its members and administrators will find this project. Applications of others can no longer send spans to it.'
        }
        action={action}
        isBusy={isBusy}
        problem={problem}
        onConfirm={() => void run(() => send(setPrivacy, { input: { projectId: id, isPrivate: !isPrivate } }), done)}
      />
    </>
  );
}

interface MemberRowProps {
  readonly projectId: string;
  readonly member: Member;
  readonly isViewer: boolean;
  readonly canManage: boolean;
  readonly onSaved: () => void;
}

function MemberRow({ projectId, member, isViewer, canManage, onSaved }: MemberRowProps) {
  const { may } = useAccess();
  const { isBusy, problem, run } = useChange();
  const { user, group, level } = member;
  const name = user?.username ?? group ?? '';
  const who = user ? { userId: user.id } : { group };
  const change = (to: Level) =>
    void run(
      () => send(setMember, { input: { projectId, ...who, level: to } }),
      () => {
        toast(`The level of ${name} is now ${LEVELS[to].toLowerCase()}.`);
        onSaved();
      },
    );
  const remove = () =>
    void run(
      () => send(removeMember, { input: { projectId, ...who } }),
      () => {
        toast(`${name} was removed from this project.`);
        onSaved();
      },
    );
  return (
    <li>
      <span className="grow project-member">
        <span className="clip" title={name}>
          {name}
        </span>
        <span className="muted clip">{isViewer ? 'You' : user ? user.email : 'Group of the identity provider'}</span>
      </span>
      {canManage ? (
        <select
          className="input"
          aria-label={`Level of ${name}`}
          value={level}
          disabled={isBusy}
          onChange={(event) => change(event.target.value as Level)}
        >
          <LevelOptions />
        </select>
      ) : (
        <span className="muted">{LEVELS[level]}</span>
      )}
      {(canManage || (isViewer && may(removeMember))) && (
        <button
          type="button"
          className="button bare small icon-only"
          aria-label={isViewer ? 'Leave this project' : `Remove ${name}`}
          disabled={isBusy}
          onClick={remove}
        >
          <Icon name="trash" size={13} />
        </button>
      )}
      <Problem text={problem} />
    </li>
  );
}

const LevelOptions = () =>
  Object.entries(LEVELS).map(([value, label]) => (
    <option key={value} value={value}>
      {label}
    </option>
  ));

const KINDS = { email: 'Person', group: 'Group' } as const;

function NewMember({ projectId, onSaved }: { readonly projectId: string; readonly onSaved: () => void }) {
  const [kind, setKind] = useState<keyof typeof KINDS>('email');
  const [text, setText] = useState('');
  const [level, setLevel] = useState<Level>('EDITOR');
  const { isBusy, problem, run } = useChange();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const name = text.trim();
    void run(
      () => send(setMember, { input: { projectId, [kind]: name, level } }),
      () => {
        toast(`${name} was added to this project.`);
        setText('');
        onSaved();
      },
    );
  };
  return (
    <form className="project-new-member" aria-label="Add a member" onSubmit={submit}>
      <select
        className="input"
        aria-label="Person or group"
        value={kind}
        onChange={(event) => setKind(event.target.value as keyof typeof KINDS)}
      >
        {Object.entries(KINDS).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      <input
        className="input"
        type={kind === 'email' ? 'email' : 'text'}
        aria-label={kind === 'email' ? 'Email of the person' : 'Name of the group'}
        placeholder={kind === 'email' ? 'Email' : 'Group of the identity provider'}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <select
        className="input"
        aria-label="Level"
        value={level}
        onChange={(event) => setLevel(event.target.value as Level)}
      >
        <LevelOptions />
      </select>
      <button type="submit" className="button" disabled={isBusy || text.trim() === ''}>
        Add member
      </button>
      <Problem text={problem} />
    </form>
  );
}
