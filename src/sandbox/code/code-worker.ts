import type { CodeLanguage } from '../../model/evaluators/sandbox-config.ts';
import { serveTasks } from '../threads/serve-tasks.ts';
import type { CodeResult, CodeRuntime, CodeTask } from './code-task.ts';

// The thread of code. `thread-sandbox.ts` starts it.

const OPEN: Readonly<Record<CodeLanguage, () => Promise<CodeRuntime>>> = {
  TYPESCRIPT: async () => (await import('./typescript-runtime.ts')).openTypeScriptRuntime(),
  PYTHON: async () => (await import('./python-runtime.ts')).openPythonRuntime(),
};

const runtimes = new Map<CodeLanguage, CodeRuntime>();

serveTasks(
  async (task: CodeTask) => {
    const runtime = runtimes.get(task.language) ?? (await OPEN[task.language]());
    runtimes.set(task.language, runtime);
    await runtime.prepare(task);
    return runtime;
  },
  (runtime, task): CodeResult => runtime.run(task),
);
