import { diag, type TracerProvider } from '@opentelemetry/api';
import { type Instrumentation, registerInstrumentations } from '@opentelemetry/instrumentation';
import { findNode } from '@spandrel/client/node';

/** Instrumented package → package of its instrumentation, and the name of its class. */
const INSTRUMENTATIONS: Readonly<Record<string, readonly [string, string]>> = {
  openai: ['@arizeai/openinference-instrumentation-openai', 'OpenAIInstrumentation'],
  '@anthropic-ai/sdk': ['@arizeai/openinference-instrumentation-anthropic', 'AnthropicInstrumentation'],
  '@langchain/core/callbacks/manager': ['@arizeai/openinference-instrumentation-langchain', 'LangChainInstrumentation'],
  '@aws-sdk/client-bedrock-runtime': ['@arizeai/openinference-instrumentation-bedrock', 'BedrockInstrumentation'],
  '@aws-sdk/client-bedrock-agent-runtime': [
    '@arizeai/openinference-instrumentation-bedrock-agent-runtime',
    'BedrockAgentInstrumentation',
  ],
  'beeai-framework': ['@arizeai/openinference-instrumentation-beeai', 'BeeAIInstrumentation'],
  '@modelcontextprotocol/sdk/client/index.js': ['@arizeai/openinference-instrumentation-mcp', 'MCPInstrumentation'],
};

interface Manual extends Instrumentation {
  manuallyInstrument?(module: unknown): void;
}

/**
 * Activates the OpenInference instrumentations that are installed in the working directory, for all packages or for these.
 * CommonJS modules are instrumented when they are loaded, ES modules now. Never rejects; returns the instrumented packages.
 */
export async function autoInstrument(
  tracerProvider: TracerProvider,
  packages: readonly string[] | true = true,
): Promise<string[]> {
  const node = findNode();
  if (!node) return [];
  const { createRequire } = node.process.getBuiltinModule('node:module');
  const requireHere = createRequire(node.path.join(node.process.cwd(), 'package.json'));
  if (packages !== true)
    for (const name of packages.filter((name) => !Object.hasOwn(INSTRUMENTATIONS, name)))
      diag.warn(`There is no instrumentation for ${name}. Known: ${Object.keys(INSTRUMENTATIONS).join(', ')}.`);
  const done: string[] = [];
  for (const [name, [instrumentation, className]] of Object.entries(INSTRUMENTATIONS)) {
    if (packages !== true && !packages.includes(name)) continue;
    try {
      const module = loadIfInstalled(requireHere, instrumentation);
      if (!module) continue;
      const Instrumentation = (module as Readonly<Record<string, (new () => Manual) | undefined>>)[className];
      if (!Instrumentation) throw new Error(`${instrumentation} has no ${className}`);
      const instance = new Instrumentation();
      registerInstrumentations({ instrumentations: [instance], tracerProvider });
      await instrumentEsm(instance, name);
      done.push(name);
    } catch (error) {
      diag.warn(`${name} is not instrumented: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return done;
}

function loadIfInstalled(requireHere: NodeJS.Require, name: string): unknown {
  try {
    return requireHere(name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}

/** The hook of an instrumentation sees `require` alone. An ES module is another object, which is patched directly. */
async function instrumentEsm(instance: Manual, name: string): Promise<void> {
  if (!instance.manuallyInstrument) return;
  // A package that cannot be found from here, as under strict layouts, keeps the hook of `require`.
  const module: unknown = await import(/* @vite-ignore */ name).catch(() => undefined);
  if (module) instance.manuallyInstrument(module);
}
