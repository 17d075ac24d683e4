import type { ComponentType } from 'react';
import { AccessDenied } from '../../access/AccessDenied.tsx';
import type { Access } from '../../access/rights.ts';
import { useAccess } from '../../access/use-access.ts';
import { FailureBoundary } from '../../components/Failure.tsx';
import { lazy } from '../../components/lazy.tsx';
import { setPreference, usePreferences } from '../../preferences/preferences.ts';
import { appUrl } from '../../router/app-url.ts';
import { Link } from '../../router/Link.tsx';
import type { RouteParams } from '../../router/match-route.ts';
import { PageHeader } from '../../shell/PageHeader.tsx';
import { NotFoundPage } from '../not-found/NotFoundPage.tsx';
import { AnnotationConfigs } from './AnnotationConfigs.tsx';
import { Apps } from './access/Apps.tsx';
import { Keys } from './access/Keys.tsx';
import { Users } from './access/Users.tsx';
import { Models } from './Models.tsx';
import { Retention } from './Retention.tsx';
import './settings.css';

// Charts are loaded only for the pages that show them.
const StoragePart = lazy(async () => (await import('./Storage.tsx')).Storage);
const IngestPart = lazy(async () => (await import('./IngestPage.tsx')).IngestPage);

const THEMES = ['system', 'light', 'dark'] as const;
const DENSITIES = ['compact', 'roomy'] as const;
const LANGUAGES = [
  ['typescript', 'TypeScript'],
  ['python', 'Python'],
  ['curl', 'curl'],
] as const;

/** Parts of the settings. `needs`: right without which the part says why it is closed, and the navigation leaves it out. */
const PARTS: readonly SettingsPart[] = [
  { id: '', label: 'General', Part: General },
  { id: 'users', label: 'Users', Part: Users, needs: 'strictAdmin' },
  { id: 'api-keys', label: 'API keys', Part: Keys, needs: 'strictAdmin' },
  { id: 'apps', label: 'Apps', Part: Apps, needs: 'strictAdmin' },
  { id: 'models', label: 'Models', Part: Models },
  { id: 'annotations', label: 'Annotations', Part: AnnotationConfigs },
  { id: 'retention', label: 'Retention', Part: Retention },
  { id: 'ingest', label: 'Ingest', Part: IngestPart },
  { id: 'about', label: 'Storage', Part: StoragePart },
];

interface SettingsPart {
  readonly id: string;
  readonly label: string;
  readonly Part: ComponentType;
  readonly needs?: Access;
}

export function SettingsPage({ params }: { readonly params: RouteParams }) {
  const { may, isKnown } = useAccess();
  const part = PARTS.find(({ id }) => id === (params.part ?? ''));
  if (!part) return <NotFoundPage />;
  const { Part, label, needs } = part;
  const isOpen = needs === undefined || may(needs);
  return (
    <>
      <PageHeader
        crumbs={part.id === '' ? [{ label: 'Settings' }] : [{ label: 'Settings', to: '/settings' }, { label }]}
      />
      <div className="page-body">
        <div className="page-narrow">
          <nav className="tabs settings-nav" aria-label="Settings">
            {PARTS.filter(({ needs: right }) => right === undefined || may(right)).map(({ id, label: name }) => (
              <Link
                key={id}
                to={id === '' ? '/settings' : `/settings/${id}`}
                {...(id === part.id ? { 'aria-current': 'page' } : {})}
              >
                {name}
              </Link>
            ))}
          </nav>
          <FailureBoundary name={label} key={part.id}>
            {isOpen ? <Part /> : isKnown && <AccessDenied what={label} />}
          </FailureBoundary>
        </div>
      </div>
    </>
  );
}

/** Preferences of this browser, and addresses of the server. */
function General() {
  const { theme, density, timeZone, codeLanguage } = usePreferences();
  const zones = Intl.supportedValuesOf('timeZone');
  const url = new URL(appUrl(''), window.location.origin).href.replace(/\/$/, '');
  return (
    <div className="settings">
      <section className="card">
        <h2>Appearance</h2>
        <Choice label="Theme" values={THEMES} value={theme} onChange={(value) => setPreference('theme', value)} />
        <Choice label="Rows" values={DENSITIES} value={density} onChange={(value) => setPreference('density', value)} />
      </section>
      <section className="card">
        <h2>Reading</h2>
        <label className="setting">
          <span>Time zone</span>
          <select
            className="input"
            value={timeZone}
            onChange={(event) => setPreference('timeZone', event.target.value)}
          >
            <option value="local">Time zone of this browser</option>
            <option value="UTC">UTC</option>
            {zones.map((zone) => (
              <option key={zone}>{zone}</option>
            ))}
          </select>
        </label>
        <label className="setting">
          <span>Language of code examples</span>
          <select
            className="input"
            value={codeLanguage}
            onChange={(event) => setPreference('codeLanguage', event.target.value as typeof codeLanguage)}
          >
            {LANGUAGES.map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        </label>
      </section>
      <section className="card">
        <h2>Server</h2>
        <div className="setting">
          <span>OTLP over HTTP</span>
          <code>{url}/v1/traces</code>
        </div>
        <div className="setting">
          <span>REST interface</span>
          <a href={appUrl('docs')}>{url}/docs</a>
        </div>
        <div className="setting">
          <span>GraphQL</span>
          <code>{url}/graphql</code>
        </div>
      </section>
    </div>
  );
}

interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly values: readonly Value[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}

function Choice<Value extends string>({ label, values, value, onChange }: ChoiceProps<Value>) {
  return (
    <div className="setting">
      <span>{label}</span>
      <span className="segments" role="group" aria-label={label}>
        {values.map((each) => (
          <button key={each} type="button" aria-pressed={each === value} onClick={() => onChange(each)}>
            {each}
          </button>
        ))}
      </span>
    </div>
  );
}
