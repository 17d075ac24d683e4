import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useAccess } from '../access/use-access.ts';
import { Icon, type IconName } from '../components/Icon.tsx';
import { lazy } from '../components/lazy.tsx';
import { Toasts } from '../components/toasts.tsx';
import { useMediaQuery } from '../components/use-media-query.ts';
import { useAsksForSignIn } from '../data/sign-in-request.ts';
import { useQuery } from '../data/use-query.ts';
import { setPreference, usePreferences } from '../preferences/preferences.ts';
import { appUrl } from '../router/app-url.ts';
import { Link } from '../router/Link.tsx';
import { useLocation } from '../router/location.ts';
import { currentPath, withReturn } from '../sign-in/return-path.ts';
import { AccountMenu } from './AccountMenu.tsx';
import { ConnectionBanner } from './ConnectionBanner.tsx';
import { storageState } from './generated/shell.ts';
import { OpenServerNotice } from './OpenServerNotice.tsx';
import { isMac, useHotkeys } from './use-hotkeys.ts';
import './shell.css';

// The user opens both, so no page waits for them.
const CommandPalette = lazy(async () => (await import('./CommandPalette.tsx')).CommandPalette);
// Only a session that ends while the page has unsaved input needs it.
const SignInDialog = lazy(async () => (await import('./SignInDialog.tsx')).SignInDialog);
const KeyboardHelp = lazy(async () => (await import('./KeyboardHelp.tsx')).KeyboardHelp);

/** Frame of every page. */
export function Shell({ children }: { readonly children: ReactNode }) {
  const [opened, setOpened] = useState<'palette' | 'help' | undefined>();
  useHotkeys({ 'mod+k': () => setOpened('palette'), '?': () => setOpened('help') });
  const close = () => setOpened(undefined);
  const asksForSignIn = useAsksForSignIn();
  const { viewer } = useAccess();
  const needsReset = viewer?.passwordNeedsReset === true;
  useEffect(() => {
    if (needsReset) window.location.replace(appUrl(withReturn('reset-password', currentPath())));
  }, [needsReset]);
  const main = useRef<HTMLElement>(null);
  // The user types immediately after the shortcut, so the code is loaded in advance.
  useEffect(() => {
    const timer = setTimeout(() => void CommandPalette.preload().catch(() => undefined), PALETTE_DELAY_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className="shell">
      <button type="button" className="button skip" onClick={() => main.current?.focus()}>
        Skip to content
      </button>
      <Nav onSearch={() => setOpened('palette')} onHelp={() => setOpened('help')} />
      <main className="main" ref={main} tabIndex={-1}>
        <ConnectionBanner />
        <OpenServerNotice />
        <StorageBanner />
        {children}
      </main>
      {opened === 'palette' && <CommandPalette onClose={close} />}
      {opened === 'help' && <KeyboardHelp isOpen onClose={close} />}
      {asksForSignIn && <SignInDialog />}
      <Toasts />
    </div>
  );
}

/** Delay, so that the data of the page loads first. */
const PALETTE_DELAY_MS = 2_500;

/** Below this window width, labels would take too much space. */
const NARROW = '(max-width: 1100px)';

function Nav({ onSearch, onHelp }: { readonly onSearch: () => void; readonly onHelp: () => void }) {
  const { isNavOpen } = usePreferences();
  const isWindowNarrow = useMediaQuery(NARROW);
  const isNarrow = !isNavOpen || isWindowNarrow;
  return (
    <nav className="nav" data-narrow={isNarrow} aria-label="Main">
      <Link className="nav-brand" to="/projects" aria-label="Spandrel, all projects">
        <Icon name="arch" size={22} />
        <span className="nav-label">Spandrel</span>
      </Link>
      <NavButton icon="search" label="Search" onClick={onSearch} keys={isMac() ? '⌘K' : 'Ctrl K'} isNarrow={isNarrow} />
      <NavLink icon="tracing" label="Tracing" to="/projects" />
      <NavLink icon="dashboard" label="Dashboards" to="/dashboards" />
      <NavLink icon="dataset" label="Datasets" to="/datasets" />
      <NavLink icon="prompt" label="Prompts" to="/prompts" />
      <NavLink icon="playground" label="Playground" to="/playground" />
      <NavLink icon="evaluator" label="Evaluators" to="/evaluators" />
      <span className="grow nav-space" />
      <a className="nav-item" href={appUrl('docs')} title="REST API">
        <Icon name="book" />
        <span className="nav-label">REST API</span>
      </a>
      <a className="nav-item" href={appUrl('graphql')} title="GraphQL">
        <Icon name="braces" />
        <span className="nav-label">GraphQL</span>
      </a>
      <NavLink icon="settings" label="Settings" to="/settings" />
      <NavButton icon="keyboard" label="Keyboard" onClick={onHelp} keys="?" isNarrow={isNarrow} />
      <ThemeButton />
      <AccountMenu />
      {!isWindowNarrow && (
        <button
          type="button"
          className="nav-item nav-fold"
          aria-expanded={isNavOpen}
          aria-label={isNavOpen ? 'Collapse navigation' : 'Expand navigation'}
          title={isNavOpen ? 'Collapse navigation' : 'Expand navigation'}
          onClick={() => setPreference('isNavOpen', !isNavOpen)}
        >
          <Icon name="panel" />
          <span className="nav-label">Collapse</span>
        </button>
      )}
    </nav>
  );
}

function NavLink({ icon, label, to }: { readonly icon: IconName; readonly label: string; readonly to: string }) {
  const { path } = useLocation();
  const isHere = path === to || path.startsWith(`${to}/`) || (to === '/projects' && path === '/');
  return (
    <Link className="nav-item" to={to} title={label} aria-label={label} {...(isHere ? { 'aria-current': 'page' } : {})}>
      <Icon name={icon} />
      <span className="nav-label">{label}</span>
    </Link>
  );
}

interface NavButtonProps {
  readonly icon: IconName;
  readonly label: string;
  readonly keys: string;
  readonly isNarrow: boolean;
  readonly onClick: () => void;
}

function NavButton({ icon, label, keys, isNarrow, onClick }: NavButtonProps) {
  return (
    <button
      type="button"
      className="nav-item"
      title={`${label} (${keys})`}
      onClick={onClick}
      {...(isNarrow ? { 'aria-label': label } : {})}
    >
      <Icon name={icon} />
      <span className="nav-label">{label}</span>
      {!isNarrow && <kbd>{keys}</kbd>}
    </button>
  );
}

const THEMES = [
  { theme: 'system', icon: 'system', label: 'Theme: system' },
  { theme: 'light', icon: 'sun', label: 'Theme: light' },
  { theme: 'dark', icon: 'moon', label: 'Theme: dark' },
] as const;

function ThemeButton() {
  const { theme } = usePreferences();
  const index = THEMES.findIndex((each) => each.theme === theme);
  const { icon, label } = THEMES[index]!;
  const next = THEMES[(index + 1) % THEMES.length]!;
  return (
    <button
      type="button"
      className="nav-item"
      title={`${label}; switch to ${next.theme}`}
      aria-label={label}
      onClick={() => setPreference('theme', next.theme)}
    >
      <Icon name={icon} />
      <span className="nav-label">{label}</span>
    </button>
  );
}

function StorageBanner() {
  const [isAsking, setAsking] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setAsking(true), STORAGE_DELAY_MS);
    return () => clearTimeout(timer);
  }, []);
  const { data } = useQuery(storageState, isAsking ? NOTHING : undefined);
  if (!data?.serverStatus.insufficientStorage) return null;
  return (
    <div className="banner" role="alert">
      Storage is full, so the server rejects new spans. Delete data, or raise the storage limit in the server settings.
    </div>
  );
}

/** Delay, so that the rows of a page load first. */
const STORAGE_DELAY_MS = 1_500;
const NOTHING = {};
