import { SelectField } from '../../../components/fields.tsx';
import { useQuery } from '../../../data/use-query.ts';
import type { Language } from './code-samples.ts';
import { type SandboxChoicesData, sandboxChoices } from './generated/forms.ts';

type Backend = SandboxChoicesData['sandboxBackends'][number];
type Config = SandboxChoicesData['sandboxProviders'][number]['configs'][number];

export interface SandboxChoice extends Config {
  readonly backend: Backend | undefined;
  /** Why code cannot run in it. */
  readonly problem: string | undefined;
}

const NOTHING = {};

/** Sandboxes for a language, those that can be used first. Undefined while they load. */
export function useSandboxes(language: Language): readonly SandboxChoice[] | undefined {
  const { data } = useQuery(sandboxChoices, NOTHING);
  if (!data) return undefined;
  return data.sandboxProviders
    .flatMap(({ backendType, enabled, configs }) => {
      const backend = data.sandboxBackends.find((each) => each.backendType === backendType);
      return configs.map((config) => ({ ...config, backend, problem: problemOf(backend, enabled && config.enabled) }));
    })
    .filter((config) => config.language === language)
    .sort((a, b) => Number(a.problem !== undefined) - Number(b.problem !== undefined));
}

function problemOf(backend: Backend | undefined, isEnabled: boolean): string | undefined {
  if (!isEnabled) return 'It is turned off. An administrator can turn it on.';
  if (backend?.status === 'AVAILABLE') return undefined;
  return backend?.statusDetail ?? 'Its backend is not available.';
}

interface SandboxFieldProps {
  readonly sandboxes: readonly SandboxChoice[] | undefined;
  readonly chosen: SandboxChoice | undefined;
  readonly onChange: (id: string) => void;
}

/** Sandbox in which the code runs, with its limits. */
export function SandboxField({ sandboxes, chosen, onChange }: SandboxFieldProps) {
  if (sandboxes?.length === 0) {
    return <p className="error-text">The server has no sandbox for this language. An administrator can add one.</p>;
  }
  return (
    <div className="field">
      <SelectField label="Sandbox" value={chosen?.id ?? ''} onChange={onChange}>
        {sandboxes?.map(({ id, name, problem }) => (
          <option key={id} value={id}>
            {name}
            {problem === undefined ? '' : ' (not available)'}
          </option>
        ))}
      </SelectField>
      {chosen && (
        <p className={chosen.problem === undefined ? 'muted' : 'error-text'}>
          {chosen.problem ??
            [
              `${chosen.backend?.displayName ?? chosen.name}, ends after ${chosen.timeout} s.`,
              chosen.backend?.languageDialect === 'RESTRICTED' ? 'It supports only part of the language.' : '',
              chosen.backend?.runtimeNotes ?? '',
            ]
              .filter((text) => text !== '')
              .join(' ')}
        </p>
      )}
    </div>
  );
}
