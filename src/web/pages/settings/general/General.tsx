import { setPreference, usePreferences } from '../../../preferences/preferences.ts';
import { appUrl } from '../../../router/app-url.ts';
import { Server } from './Server.tsx';
import { SignInState } from './SignInState.tsx';

const THEMES = ['system', 'light', 'dark'] as const;
const DENSITIES = ['compact', 'roomy'] as const;
const LANGUAGES = [
  ['typescript', 'TypeScript'],
  ['python', 'Python'],
  ['curl', 'curl'],
] as const;

/** The server and its addresses, how users sign in, and preferences of this browser. */
export function General() {
  const { theme, density, timeZone, codeLanguage } = usePreferences();
  const zones = Intl.supportedValuesOf('timeZone');
  return (
    <div className="settings">
      <Server />
      <SignInState />
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
        <h2>Interfaces</h2>
        <p className="setting-links">
          <a href={appUrl('docs')}>REST interface</a>
          <a href={appUrl('graphql')}>GraphQL console</a>
          <a href={appUrl('openapi.json')}>OpenAPI document</a>
        </p>
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
