import { CODE_MEMORY_BYTES_MAX, CODE_MESSAGE_CHARS_MAX, CODE_RESULT_CHARS_MAX } from '../../model/limits/sandbox.ts';
import { MiB } from '../../model/limits/units.ts';
import type { CodeResult, CodeRuntime, CodeTask } from './code-task.ts';
import { compileMicroPython, HostDenied, type Interpreter, openInterpreter, type PythonError } from './micropython.ts';
import { PrintedText } from './printed-text.ts';
import type { WasmModule } from './web-assembly.ts';

/**
 * Compiles MicroPython, unless it is given. Each run has an interpreter with the memory of a new one: a new one, or that of a run that has
 * succeeded, with its memory restored, which takes a tenth of the time.
 */
export async function openPythonRuntime(compiled: WasmModule | undefined): Promise<CodeRuntime> {
  const module = compiled ?? compileMicroPython();
  let output = new RunOutput();
  let prepared: Interpreter | undefined;
  return {
    module,
    async prepare() {
      output = new RunOutput();
      if (!prepared?.reset()) prepared = openInterpreter(module, (bytes) => output.write(bytes));
    },
    run(task) {
      if (!prepared) throw new Error('prepare the task first');
      const interpreter = prepared;
      prepared = undefined;
      try {
        const result = runIn(interpreter, output, task);
        if (result.ok) prepared = interpreter;
        return result;
      } catch (error) {
        const printed = output.printed.toString();
        if (error instanceof OutputExceeded) return { ok: false, reason: 'output', message: error.message, printed };
        const message =
          error instanceof HostDenied
            ? 'The code used a module that the sandbox does not have, such as js, jsffi or asyncio, or its input'
            : 'The code ended its interpreter, for example by a recursion that is too deep';
        return { ok: false, reason: 'code', message, printed };
      }
    },
  };
}

function runIn(interpreter: Interpreter, output: RunOutput, { source, inputs }: CodeTask): CodeResult {
  const failed =
    interpreter.execute(source) ??
    interpreter.execute('if not callable(globals().get("evaluate")): raise NameError("evaluate")') ??
    interpreter.execute(
      `__result__ = __import__("json").dumps(evaluate(**__import__("json").loads(${toPython(inputs)})))`,
    );
  if (failed) return { ...toFailure(failed), printed: output.printed.toString() };
  output.startResult();
  const unprinted = interpreter.execute('__import__("sys").stdout.write(__result__ + "\\n")');
  const printed = output.printed.toString();
  return unprinted ? { ...toFailure(unprinted), printed } : { ok: true, value: output.result, printed };
}

/** A literal of Python. Escapes of JSON strings are escapes of Python strings too, except those of half characters. */
const toPython = (text: string): string => JSON.stringify(Buffer.from(text).toString());

function toFailure({ type, traceback }: PythonError): { ok: false; reason: 'memory' | 'code'; message: string } {
  const lines = traceback.trimEnd().split('\n');
  const last = lines.at(-1) ?? type;
  if (type === 'MemoryError') {
    return { ok: false, reason: 'memory', message: `The code exceeded ${CODE_MEMORY_BYTES_MAX / MiB} MiB of memory` };
  }
  if (last === 'NameError: evaluate') {
    return { ok: false, reason: 'code', message: 'The source does not define a function named evaluate' };
  }
  const frame = lines.findLast((one) => one.startsWith('  File "<stdin>", line '));
  const line = frame?.match(/line (\d+)/)?.[1];
  const message = last.slice(0, CODE_MESSAGE_CHARS_MAX);
  return { ok: false, reason: 'code', message: line ? `${message} (line ${line})` : message };
}

class OutputExceeded extends Error {}

/** Separates what the code prints from its result. */
class RunOutput {
  readonly printed = new PrintedText();
  readonly #decoder = new TextDecoder();
  #result: string | undefined;

  /** @throws {OutputExceeded} which ends the interpreter */
  write(bytes: Uint8Array): void {
    const text = this.#decoder.decode(bytes, { stream: true });
    if (this.#result === undefined) {
      this.printed.add(text);
      if (this.printed.exceedsLimit) throw new OutputExceeded('The code printed too much');
      return;
    }
    this.#result += text;
    if (this.#result.length > CODE_RESULT_CHARS_MAX) {
      throw new OutputExceeded(`evaluate returned more than ${CODE_RESULT_CHARS_MAX} characters of JSON, the maximum`);
    }
  }

  /** From now on, the output is the result. */
  startResult(): void {
    this.#result = '';
  }

  get result(): string | undefined {
    return this.#result?.trimEnd();
  }
}
