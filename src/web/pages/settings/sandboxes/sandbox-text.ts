import type { SandboxesData } from './generated/sandboxes.ts';

export type Backend = SandboxesData['sandboxBackends'][number];
export type SandboxProvider = SandboxesData['sandboxProviders'][number];
export type SandboxConfig = SandboxProvider['configs'][number];

export const LANGUAGES: Readonly<Record<SandboxConfig['language'], string>> = {
  PYTHON: 'Python',
  TYPESCRIPT: 'TypeScript',
};

/** A state in words, with the tone of its mark. */
export function describeStatus({ status }: Backend): {
  readonly tone: 'ok' | 'open' | 'wrong' | 'off';
  readonly word: string;
} {
  switch (status) {
    case 'AVAILABLE':
      return { tone: 'ok', word: 'Available' };
    case 'DISABLED':
      return { tone: 'open', word: 'Disabled' };
    case 'MISSING_CREDENTIALS':
      return { tone: 'wrong', word: 'Credentials missing' };
    case 'NOT_INSTALLED':
      return { tone: 'off', word: 'Not installed' };
    default:
      return { tone: 'off', word: 'Not available' };
  }
}
