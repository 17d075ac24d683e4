import { type FormEvent, useState } from 'react';
import { viewer } from '../../access/generated/viewer.ts';
import { InputField } from '../../components/fields.tsx';
import { Problem } from '../../components/Problem.tsx';
import { toast } from '../../components/toasts.tsx';
import { send } from '../../data/request.ts';
import { useChange } from '../../data/use-change.ts';
import { appUrl } from '../../router/app-url.ts';
import { changePassword, renameViewer } from './generated/profile.ts';

export function NameForm({ username }: { readonly username: string }) {
  const [name, setName] = useState(username);
  const change = useChange([viewer]);
  const newUsername = name.trim();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void change.run(
      () => send(renameViewer, { newUsername }),
      () => toast('Name saved.'),
    );
  };
  return (
    <form className="profile-form" onSubmit={submit}>
      <InputField label="Name" value={name} autoComplete="off" maxLength={100} onChange={setName} />
      <Problem text={change.problem} />
      <button
        type="submit"
        className="button"
        disabled={change.isBusy || newUsername === '' || newUsername === username}
      >
        Save name
      </button>
    </form>
  );
}

/** Changes the password, which ends all sessions. */
export function PasswordForm({ email }: { readonly email: string | null }) {
  const [current, setCurrent] = useState('');
  const [password, setPassword] = useState('');
  const [confirmation, setConfirmation] = useState('');
  const change = useChange([]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (password !== confirmation) return change.say('The two new passwords differ.');
    void change.run(
      () => send(changePassword, { newPassword: password, currentPassword: current }),
      () => window.location.assign(appUrl('login?message=password_reset&returnUrl=%2Fprofile')),
    );
  };
  const fields = [
    ['Current password', current, setCurrent, 'current-password'],
    ['New password', password, setPassword, 'new-password'],
    ['Confirm new password', confirmation, setConfirmation, 'new-password'],
  ] as const;
  return (
    <section className="card">
      <h2>Password</h2>
      <p className="muted">
        A new password signs you out on all devices and ends the access of apps. Your API keys stay valid.
      </p>
      <form className="profile-form" onSubmit={submit}>
        {/* Password managers store the new password with this name. */}
        <input type="text" autoComplete="username" value={email ?? ''} readOnly hidden />
        {fields.map(([label, value, set, autoComplete]) => (
          <label key={label} className="field">
            <span>{label}</span>
            <input
              className="input"
              type="password"
              value={value}
              autoComplete={autoComplete}
              onChange={(event) => set(event.target.value)}
            />
          </label>
        ))}
        <Problem text={change.problem} />
        <button
          type="submit"
          className="button"
          disabled={change.isBusy || [current, password, confirmation].includes('')}
        >
          Change password
        </button>
      </form>
    </section>
  );
}
