import type {
  CodeLanguage,
  SandboxBackend,
  SandboxConfig,
  SandboxDeployment,
  SandboxResources,
} from '../../../model/evaluators/sandbox-config.ts';
import { SANDBOX_TIMEOUT_SECONDS } from '../../../model/limits/sandbox.ts';
import { reject } from '../arguments.ts';
import type { GraphqlContext } from '../context.ts';
import { rowIdOfNode } from '../node.ts';
import { onlyField } from '../prompts/prompt-input.ts';
import { QUERY, type Resolvers, sandboxConfigRef } from '../resolvers.ts';
import { parseSandboxProviderId } from './sandbox.ts';

type Variant = Readonly<Record<string, unknown>>;

interface VariantFields {
  readonly language: CodeLanguage;
  readonly envVars?: SandboxResources['envVars'];
  readonly internetAccess?: { readonly mode: 'ALLOW' | 'DENY' } | null;
  readonly dependencies?: { readonly packages: readonly string[] } | null;
}
interface CreateInput {
  readonly config: Variant;
  readonly name: string;
  readonly description?: string | null;
  readonly timeout?: number | null;
  readonly enabled: boolean;
}
/** Null has the meaning of absent, except for a description, which it clears. */
interface UpdateInput {
  readonly id: string;
  readonly description?: string | null;
  readonly config?: Variant | null;
  readonly timeout?: number | null;
  readonly enabled?: boolean | null;
}
interface ProviderInput {
  readonly id: string;
  readonly enabled?: boolean | null;
  readonly deployment?: Variant | null;
}
interface Input<Fields> {
  readonly input: Fields;
}

export const sandboxMutations: Resolvers = {
  async createSandboxConfig(_source, { input }: Input<CreateInput>, context: GraphqlContext) {
    const config = await context.domain.sandboxes.createConfig({
      ...toVariant(input.config),
      name: input.name,
      description: input.description?.trim() || null,
      timeoutSeconds: input.timeout ?? SANDBOX_TIMEOUT_SECONDS,
      isEnabled: input.enabled,
    });
    return payload(config, context);
  },
  async updateSandboxConfig(_source, { input }: Input<UpdateInput>, context: GraphqlContext) {
    const { id, description, config, timeout, enabled } = input;
    const variant = config ? toVariant(config) : undefined;
    const changes = {
      ...(description !== undefined && { description: description?.trim() || null }),
      ...(variant && { resources: variant.resources }),
      ...(timeout != null && { timeoutSeconds: timeout }),
      ...(enabled != null && { isEnabled: enabled }),
    };
    const rowId = rowIdOfNode('SandboxConfig', id);
    return payload(await context.domain.sandboxes.updateConfig(rowId, changes, variant), context);
  },
  async deleteSandboxConfig(_source, { input: { id } }: Input<{ readonly id: string }>, context: GraphqlContext) {
    await context.domain.sandboxes.deleteConfig(rowIdOfNode('SandboxConfig', id));
    context.invalidateReads();
    return { deletedId: id, query: QUERY };
  },
  async updateSandboxProvider(_source, { input }: Input<ProviderInput>, context: GraphqlContext) {
    const provider = parseSandboxProviderId(input.id) ?? reject(`Invalid sandbox provider id: ${input.id}`);
    await context.domain.sandboxes.updateProvider(provider.backend, {
      ...(input.enabled != null && { isEnabled: input.enabled }),
      ...(input.deployment && { deployment: toDeployment(input.deployment, provider.backend) }),
    });
    context.invalidateReads();
    return { sandboxProvider: provider, query: QUERY };
  },
};

const BACKEND_OF = new Map<string, SandboxBackend>([
  ['e2b', 'E2B'],
  ['daytona', 'DAYTONA'],
  ['deno', 'DENO'],
  ['vercel', 'VERCEL'],
  ['wasm', 'WASM'],
  ['modal', 'MODAL'],
  ['monty', 'MONTY'],
]);

function toVariant(input: Variant): Pick<SandboxConfig, 'backend' | 'language' | 'resources'> {
  const [name, value] = onlyField(input, 'SandboxConfigVariantInput');
  const { language, envVars = [], internetAccess, dependencies } = value as unknown as VariantFields;
  const resources = {
    envVars: envVars.map((one) => ({ name: one.name, secretKey: one.secretKey })),
    internetAccess: internetAccess?.mode ?? null,
    packages: dependencies?.packages ?? null,
  };
  return { backend: BACKEND_OF.get(name) ?? reject(`Unknown sandbox ${name}`), language, resources };
}

function toDeployment(input: Variant, backend: SandboxBackend): SandboxDeployment {
  const [name, value] = onlyField(input, 'SandboxDeploymentVariantInput');
  if (BACKEND_OF.get(name) !== backend) return reject(`The deployment of ${backend} cannot be one of ${name}`);
  return Object.fromEntries(Object.entries(value as Readonly<Record<string, string | null>>));
}

function payload({ rowId }: SandboxConfig, context: GraphqlContext): object {
  context.invalidateReads();
  return { sandboxConfig: sandboxConfigRef(rowId), query: QUERY };
}
