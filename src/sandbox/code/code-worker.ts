import type { CodeLanguage } from '../../model/evaluators/sandbox-config.ts';
import { serveTasks, sharedValue, shareValue } from '../threads/serve-tasks.ts';
import type { CodeResult, CodeRuntime, CodeTask } from './code-task.ts';
import type { WasmModule } from './web-assembly.ts';

// The thread of code, which `thread-sandbox.ts` starts.

type OpenRuntime = (module: WasmModule | undefined) => Promise<CodeRuntime>;

const OPEN: Readonly<Record<CodeLanguage, OpenRuntime>> = {
  TYPESCRIPT: async (module) => (await import('./typescript-runtime.ts')).openTypeScriptRuntime(module),
  PYTHON: async (module) => (await import('./python-runtime.ts')).openPythonRuntime(module),
};

const runtimes = new Map<CodeLanguage, CodeRuntime>();

/** Later threads get the compiled interpreter of the first one, with the machine code of all functions that have run. */
async function open(language: CodeLanguage): Promise<CodeRuntime> {
  const module = sharedValue<WasmModule>(language);
  const runtime = await OPEN[language](module);
  if (!module) shareValue(language, runtime.module);
  runtimes.set(language, runtime);
  return runtime;
}

serveTasks(
  async (task: CodeTask) => {
    const runtime = runtimes.get(task.language) ?? (await open(task.language));
    await runtime.prepare(task);
    return runtime;
  },
  (runtime, task): CodeResult => runtime.run(task),
);
