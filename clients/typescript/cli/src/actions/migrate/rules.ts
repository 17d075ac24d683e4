import { VERSION } from '../../version.ts';

/** What becomes of a module, or why it stays. */
export type Rule = { readonly to: string } | { readonly reason: string };

const CLIENT = '@spandrel/client';
const CLIENT_PATHS = [
  ...['datasets', 'experiments', 'projects', 'prompts', 'sessions', 'spans', 'traces'],
  ...['vitest', 'vitest/reporter', 'jest', 'jest/reporter'],
];
const EVALS_PATHS = ['code', 'llm'];

/** What a module of the public TypeScript packages becomes. Undefined: it is none of them. */
export function typescriptRule(specifier: string): Rule | undefined {
  const [, name, path = ''] = /^@arizeai\/phoenix-(client|otel|evals|config|mcp|cli)(?:\/(.+))?$/.exec(specifier) ?? [];
  if (!name) return undefined;
  if (path === 'package.json') return { reason: 'reads the manifest of the public package' };
  if (name === 'client') {
    if (path === '' || CLIENT_PATHS.includes(path)) return { to: path ? `${CLIENT}/${path}` : CLIENT };
    return { reason: 'internals of the public client; types are exported by the module of their noun' };
  }
  if (name === 'otel')
    return path ? { reason: 'has no counterpart in @spandrel/tracing' } : { to: '@spandrel/tracing' };
  if (name === 'evals') {
    if (path === '' || EVALS_PATHS.includes(path)) return { to: path ? `@spandrel/evals/${path}` : '@spandrel/evals' };
    return { reason: 'internals of the public evaluation library' };
  }
  if (name === 'config')
    return { reason: 'settings are read by the client; @spandrel/client/settings has functions for them' };
  return { reason: `is a program: use the package @spandrel/${name}` };
}

/** Names that the counterpart of a module does not have, with what to do. */
export const MISSING_TYPESCRIPT_NAMES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  [CLIENT]: { getMergedOptions: 'read client.config, or use readSettings of @spandrel/client/settings' },
};

/** Packages in package.json. Names without a counterpart are left. */
export const NPM_PACKAGES: Readonly<Record<string, { readonly name: string; readonly version: string }>> = {
  '@arizeai/phoenix-client': { name: CLIENT, version: `^${VERSION}` },
  '@arizeai/phoenix-otel': { name: '@spandrel/tracing', version: `^${VERSION}` },
  '@arizeai/phoenix-evals': { name: '@spandrel/evals', version: `^${VERSION}` },
  '@arizeai/phoenix-cli': { name: '@spandrel/cli', version: `^${VERSION}` },
  '@arizeai/phoenix-mcp': { name: '@spandrel/mcp', version: `^${VERSION}` },
};

const PYTHON_MODULES: Readonly<Record<string, string>> = {
  'phoenix.client': 'spandrel_client',
  'phoenix.client.exceptions': 'spandrel_client.exceptions',
  'phoenix.client.experiments': 'spandrel_client.experiments',
  'phoenix.client.helpers': 'spandrel_client.helpers',
  'phoenix.client.helpers.spans': 'spandrel_client.helpers.spans',
  'phoenix.client.pytest': 'spandrel_client.pytest',
  'phoenix.client.types': 'spandrel_client.types',
  'phoenix.client.types.prompts': 'spandrel_client.types.prompts',
  'phoenix.client.types.spans': 'spandrel_client.types.spans',
  'phoenix.otel': 'spandrel_client.tracing',
  'phoenix.evals': 'spandrel_evals',
  'phoenix.evals.llm': 'spandrel_evals.llm',
  'phoenix.evals.metrics': 'spandrel_evals.metrics',
  'phoenix.evals.utils': 'spandrel_evals.utils',
};

/** What a module of the public Python packages becomes. Undefined: it is none of them. */
export function pythonRule(module: string): Rule | undefined {
  if (!/^phoenix(\.|$)/.test(module)) return undefined;
  const to = PYTHON_MODULES[module];
  if (to && Object.hasOwn(PYTHON_MODULES, module)) return { to };
  if (module === 'phoenix')
    return {
      reason: 'the package of the server; `Client` is in spandrel_client, `register` in spandrel_client.tracing',
    };
  if (module.startsWith('phoenix.client.__generated__'))
    return { reason: 'types of requests have other names in spandrel_client.generated.api' };
  if (/^phoenix\.(client|otel|evals)\./.test(module)) return { reason: 'internals of the public package' };
  return { reason: 'part of the server of the public product' };
}

/** Distributions in requirements and pyproject.toml. */
export const PYTHON_PACKAGES: Readonly<
  Record<string, { readonly name: string; readonly extra?: string } | { readonly reason: string }>
> = {
  'arize-phoenix-client': { name: 'spandrel-client' },
  'arize-phoenix-otel': { name: 'spandrel-client', extra: 'tracing' },
  'arize-phoenix-evals': { name: 'spandrel-evals' },
  'arize-phoenix': { reason: 'the server of the public product; Spandrel is installed apart from the application' },
};
