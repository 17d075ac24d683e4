import type { CodeLanguage, SandboxBackend } from '../../model/evaluators/sandbox-config.ts';

/** Facts about a backend. Only WASM is part of this server. */
export interface SandboxBackendFacts {
  readonly backend: SandboxBackend;
  readonly displayName: string;
  readonly hosting: 'LOCAL' | 'HOSTED';
  readonly languages: readonly CodeLanguage[];
  readonly isInstalled: boolean;
  readonly hasEnvVars: boolean;
  readonly hasInternetAccess: boolean;
  readonly hasPackages: boolean;
  readonly dialect: 'FULL' | 'RESTRICTED';
  readonly notes: string;
}

const hosted = (
  backend: SandboxBackend,
  displayName: string,
  languages: readonly CodeLanguage[],
): SandboxBackendFacts => ({
  ...{ backend, displayName, languages, hosting: 'HOSTED', isInstalled: false, dialect: 'FULL' },
  ...{ hasEnvVars: true, hasInternetAccess: true, hasPackages: true },
  notes: `${displayName} runs code on servers of its vendor. This server does not support it.`,
});

const local = (
  backend: SandboxBackend,
  displayName: string,
  languages: readonly CodeLanguage[],
  facts: Pick<SandboxBackendFacts, 'isInstalled' | 'dialect' | 'notes'>,
): SandboxBackendFacts => ({
  ...{ backend, displayName, languages, hosting: 'LOCAL' },
  ...{ hasEnvVars: false, hasInternetAccess: false, hasPackages: false },
  ...facts,
});

export const SANDBOX_BACKEND_FACTS: readonly SandboxBackendFacts[] = [
  local('WASM', 'WebAssembly', ['PYTHON', 'TYPESCRIPT'], {
    isInstalled: true,
    dialect: 'RESTRICTED',
    notes:
      'Runs in this server without files, network, processes and packages. Python is MicroPython 1.27, a subset of Python 3.4 with f-strings and type annotations; its modules include json, re, math, random, datetime, collections and itertools. TypeScript runs in QuickJS (ES2023): types are removed, not checked.',
  }),
  hosted('E2B', 'E2B', ['PYTHON']),
  hosted('DAYTONA', 'Daytona', ['PYTHON', 'TYPESCRIPT']),
  hosted('VERCEL', 'Vercel Sandbox', ['PYTHON', 'TYPESCRIPT']),
  local('DENO', 'Deno', ['TYPESCRIPT'], {
    isInstalled: false,
    dialect: 'FULL',
    notes: 'Deno runs TypeScript in processes of its own. This server does not support it.',
  }),
  hosted('MODAL', 'Modal', ['PYTHON']),
  local('MONTY', 'Monty', ['PYTHON'], {
    isInstalled: false,
    dialect: 'RESTRICTED',
    notes: 'Monty runs a part of Python in processes of its own. This server does not support it.',
  }),
];

export function factsOf(backend: SandboxBackend): SandboxBackendFacts {
  const facts = SANDBOX_BACKEND_FACTS.find((one) => one.backend === backend);
  if (!facts) throw new Error(`the backend ${backend} has no facts`);
  return facts;
}
