import { Icon } from '../components/Icon.tsx';
import { PAGE_CONFIG } from '../page-config.ts';
import { useStoredState } from '../preferences/stored-state.ts';

const LOOPBACK = /^(localhost|.*\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean';

/** Warns that a server that other machines can reach has no sign-in, until the user dismisses the notice. */
export function OpenServerNotice() {
  const [isDismissed, setDismissed] = useStoredState('openServerNoticeDismissed', false, isBoolean);
  if (PAGE_CONFIG.authenticationEnabled || isDismissed || LOOPBACK.test(window.location.hostname)) return null;
  return (
    <div className="banner notice-banner" role="status">
      <Icon name="warning" size={14} />
      <span className="grow">
        <strong>Sign-in is off.</strong> Everyone who can reach this server can read, change and delete its data. Enable
        sign-in with <code>SERVICE_ENABLE_AUTH</code> and <code>SERVICE_SECRET</code>, as <code>docs/settings.md</code>{' '}
        describes.
      </span>
      <button type="button" className="button small" onClick={() => setDismissed(true)}>
        Dismiss
      </button>
    </div>
  );
}
