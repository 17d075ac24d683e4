import type { SandboxBackend, SandboxConfig, SandboxProvider } from '../../../model/evaluators/sandbox-config.ts';
import { SANDBOX_BACKENDS } from '../../../model/evaluators/sandbox-config.ts';
import { factsOf } from '../../../domain/sandboxes/sandbox-backends.ts';
import { authorRef } from '../access/user.ts';
import type { GraphqlContext } from '../context.ts';
import { whenKnown } from '../execution/batch-loader.ts';
import { fromRow, id, type Resolver, type Resolvers, sandboxConfigRef } from '../resolvers.ts';

/** Settings of a backend, given only by its name. Other nodes have row ids. */
export interface SandboxProviderRef {
  readonly type: 'SandboxProvider';
  readonly backend: SandboxBackend;
}

export const sandboxProviderRef = (backend: SandboxBackend): SandboxProviderRef => ({
  type: 'SandboxProvider',
  backend,
});

/** Undefined for an ID of another type. */
export function parseSandboxProviderId(globalId: string): SandboxProviderRef | undefined {
  const [type, name] = Buffer.from(globalId, 'base64').toString().split(':', 2);
  const backend = SANDBOX_BACKENDS.find((one) => one === name);
  return type === 'SandboxProvider' && backend ? sandboxProviderRef(backend) : undefined;
}

export const sandboxQueries: Resolvers = {
  async sandboxBackends(_source, _args, { domain, items }: GraphqlContext) {
    const backends = await domain.sandboxes.listBackends();
    items.take(backends.length);
    return backends.map((facts) => ({
      backendType: facts.backend,
      displayName: facts.displayName,
      hostingType: facts.hosting,
      supportedLanguages: facts.languages,
      status: facts.status,
      statusDetail: facts.statusDetail,
      dependencyHints: [],
      supportsEnvVars: facts.hasEnvVars,
      internetAccess: facts.hasInternetAccess ? 'BOOLEAN' : 'NONE',
      supportsDependencies: facts.hasPackages,
      languageDialect: facts.dialect,
      runtimeNotes: facts.notes,
      credentialSpecs: [],
    }));
  },
  sandboxProviders(_source, _args, { items }: GraphqlContext) {
    items.take(SANDBOX_BACKENDS.length);
    return SANDBOX_BACKENDS.map(sandboxProviderRef);
  },
};

const provider =
  (compute: (row: SandboxProvider, context: GraphqlContext) => unknown): Resolver<SandboxProviderRef> =>
  ({ backend }, _args, context) =>
    whenKnown(context.loaders.sandboxProviders.load(backend), (found) => found && compute(found, context));

export const sandboxProviderResolvers: Resolvers = {
  id: ({ backend }: SandboxProviderRef) => Buffer.from(`SandboxProvider:${backend}`).toString('base64'),
  backendType: ({ backend }: SandboxProviderRef) => backend,
  supportedLanguages: ({ backend }: SandboxProviderRef) => factsOf(backend).languages,
  enabled: provider(({ isEnabled }) => isEnabled),
  deployment: provider(({ backend, deployment }) => {
    if (backend !== 'DAYTONA' && backend !== 'E2B') return null;
    const __typename = backend === 'E2B' ? 'E2BDeploymentData' : 'DaytonaDeploymentData';
    return { __typename, ...deployment };
  }),
  configs: ({ backend }: SandboxProviderRef, _args: unknown, { loaders, items }: GraphqlContext) =>
    whenKnown(loaders.configsOfSandboxes.load(backend), (configs = []) => {
      items.take(configs.length);
      return configs.map(({ rowId }: SandboxConfig) => sandboxConfigRef(rowId));
    }),
  updatedAt: provider(({ updatedAt }) => updatedAt),
  user: provider(authorRef),
};

const config = fromRow(({ sandboxConfigs }) => sandboxConfigs);

export const sandboxConfigResolvers: Resolvers = {
  id,
  name: config(({ name }) => name),
  description: config(({ description }) => description),
  language: config(({ language }) => language),
  config: config(({ resources: { envVars, internetAccess, packages } }, { items }) => {
    items.take(envVars.length);
    return {
      envVars,
      internetAccess: internetAccess && { mode: internetAccess },
      dependencies: packages && { packages },
    };
  }),
  timeout: config(({ timeoutSeconds }) => timeoutSeconds),
  enabled: config(({ isEnabled }) => isEnabled),
  provider: config(({ backend }) => sandboxProviderRef(backend)),
  createdAt: config(({ createdAt }) => createdAt),
  updatedAt: config(({ updatedAt }) => updatedAt),
  user: config(authorRef),
};
