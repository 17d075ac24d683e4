import { Icon } from '../../components/Icon.tsx';
import { toast, toastFailure } from '../../components/toasts.tsx';
import { send, toFailure } from '../../data/request.ts';
import { formatAge } from '../../format/ages.ts';
import { useTimeFormat } from '../../format/times.ts';
import { endSession, type ProfileData } from './generated/profile.ts';

type Session = NonNullable<ProfileData['viewer']>['sessions'][number];

interface SessionsProps {
  /** Undefined while they load. */
  readonly sessions: readonly Session[] | undefined;
  readonly onChanged: () => void;
}

/** Devices on which the user is signed in. Each other one can be signed out. */
export function Sessions({ sessions, onChanged }: SessionsProps) {
  const times = useTimeFormat();
  const end = ({ id }: Session) =>
    send(endSession, { id }).then(
      () => {
        toast('Device signed out.');
        onChanged();
      },
      (error: unknown) => toastFailure(toFailure(error).message),
    );
  return (
    <section className="settings-list">
      <header>
        <div className="grow">
          <h2>Sessions</h2>
          <p className="muted">Devices on which you are signed in. Sign out the ones that you do not recognize.</p>
        </div>
      </header>
      <ul className="card settings-rows" aria-label="Sessions" aria-busy={sessions === undefined}>
        {sessions?.map((session) => (
          <li key={session.id} className="session-row">
            <span className="settings-name">
              <strong className="clip" title={session.userAgent ?? undefined}>
                {describeAgent(session.userAgent)}
              </strong>
              <span className="muted clip">{session.remoteAddress ?? 'Unknown address'}</span>
            </span>
            <span className="settings-name">
              <span>{session.isCurrent ? 'This device' : `Used ${formatAge(session.lastUsedAt)}`}</span>
              <span className="muted">Signed in {times.minute(session.createdAt)}</span>
            </span>
            {!session.isCurrent && (
              <button type="button" className="button small" onClick={() => void end(session)}>
                <Icon name="close" size={12} /> Sign out
              </button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

const BROWSERS = [
  [/Edg\//, 'Edge'],
  [/Firefox\//, 'Firefox'],
  [/Chrome\//, 'Chrome'],
  [/Safari\//, 'Safari'],
] as const;
const SYSTEMS = [
  [/Windows/, 'Windows'],
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/Mac OS/, 'macOS'],
  [/Linux/, 'Linux'],
] as const;

/** For example `Firefox on Linux`. Any other application is shown by its own name. */
function describeAgent(agent: string | null): string {
  if (agent === null) return 'Unknown application';
  const browser = BROWSERS.find(([pattern]) => pattern.test(agent))?.[1];
  const system = SYSTEMS.find(([pattern]) => pattern.test(agent))?.[1];
  return browser && system ? `${browser} on ${system}` : (agent.split(' ', 1)[0] ?? agent);
}
