import { useState } from 'react';
import { ConfirmDialog } from '../../components/Dialog.tsx';
import { Icon } from '../../components/Icon.tsx';
import { Problem } from '../../components/Problem.tsx';
import { toast } from '../../components/toasts.tsx';
import { send } from '../../data/request.ts';
import { useChange } from '../../data/use-change.ts';
import { formatAge } from '../../format/ages.ts';
import { useTimeFormat } from '../../format/times.ts';
import { PAGE_CONFIG } from '../../page-config.ts';
import { type ProfileData, unlinkIdentity } from './generated/profile.ts';
import { displayNameOf, linkProblem, startLink, useFinishedLink } from './link-identity.ts';

type Identity = NonNullable<ProfileData['viewer']>['linkedIdentities'][number];

interface LinkedIdentitiesProps {
  /** Undefined while they load. */
  readonly identities: readonly Identity[] | undefined;
  readonly onChanged: () => void;
}

/** Identities at providers by which the user can sign in, too. */
export function LinkedIdentities({ identities, onChanged }: LinkedIdentitiesProps) {
  const { oAuth2Idps } = PAGE_CONFIG;
  const [code, setCode] = useState<string>();
  const { isBusy, problem, run } = useChange([]);
  useFinishedLink((provider, error) => {
    setCode(error);
    if (error === undefined) toast(`${displayNameOf(provider)} linked.`);
    onChanged();
  });
  const start = (name: string) => {
    setCode(undefined);
    void run(
      async () => {
        const error = await startLink(name);
        setCode(error);
      },
      () => {},
    );
  };
  if (oAuth2Idps.length === 0 && !identities?.length) return null;
  return (
    <section className="settings-list" aria-label="Linked identities">
      <header>
        <div className="grow">
          <h2>Linked identities</h2>
          <p className="muted">
            Sign in to this account at an identity provider, too. Your email, role and password stay as they are.
          </p>
        </div>
        <div className="row identity-links">
          {oAuth2Idps.map(({ name, displayName }) => (
            <button key={name} type="button" className="button" disabled={isBusy} onClick={() => start(name)}>
              <Icon name="link" size={13} /> <span className="clip">Link {displayName}</span>
            </button>
          ))}
        </div>
      </header>
      <Problem text={problem ?? (code === undefined ? undefined : linkProblem(code))} />
      <ul className="card settings-rows" aria-label="Linked identities" aria-busy={identities === undefined}>
        {identities?.map((identity) => (
          <IdentityRow key={identity.id} identity={identity} onUnlinked={onChanged} />
        ))}
        {identities?.length === 0 && <li className="muted">No linked identities yet. Link one with a button above.</li>}
      </ul>
    </section>
  );
}

interface IdentityRowProps {
  readonly identity: Identity;
  readonly onUnlinked: () => void;
}

function IdentityRow({ identity: { id, provider, issuer, email, createdAt }, onUnlinked }: IdentityRowProps) {
  const times = useTimeFormat();
  const [isAsking, setAsking] = useState(false);
  const { isBusy, problem, run, say } = useChange();
  const name = displayNameOf(provider);
  const done = () => {
    setAsking(false);
    toast(`${name} unlinked.`);
    onUnlinked();
  };
  return (
    <li className="identity-row">
      <span className="settings-name">
        <strong className="clip">{name}</strong>
        <span className="muted clip" title={issuer}>
          {email}
        </span>
      </span>
      <span className="muted" title={times.full(createdAt)}>
        Linked {formatAge(createdAt)}
      </span>
      <button
        type="button"
        className="button small"
        aria-label={`Unlink ${name}, ${email}`}
        onClick={() => {
          say(undefined);
          setAsking(true);
        }}
      >
        Unlink
      </button>
      <ConfirmDialog
        title={`Unlink ${name}?`}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        consequence={`You can no longer sign in to this account as ${email} at ${name}. Other ways to sign in stay.`}
        action="Unlink identity"
        isBusy={isBusy}
        problem={problem}
        onConfirm={() => void run(() => send(unlinkIdentity, { id }), done)}
      />
    </li>
  );
}
