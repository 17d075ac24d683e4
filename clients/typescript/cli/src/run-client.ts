import { CommandError, type Invocation, UsageError } from './command-line/command.ts';
import { commandHelp, nounHelp, programHelp } from './command-line/help.ts';
import { findNearest } from './command-line/nearest.ts';
import { parseArguments } from './command-line/parse-arguments.ts';
import { COMMANDS, findCommand, singular } from './commands/table.ts';
import { EXIT } from './exit-codes.ts';
import { toInvocation } from './invocation.ts';
import { VERSION } from './version.ts';

/** What the server's program adds. */
export interface ClientOptions {
  /** Commands that the caller runs itself, for help and completion. */
  readonly serverCommands?: readonly string[];
}

/** Runs a command line, prints what goes wrong in one line, and ends the process. */
export async function runClient(args: readonly string[], { serverCommands = [] }: ClientOptions = {}): Promise<void> {
  const cancelled = new AbortController();
  endQuietlyWithReader();
  process.once('SIGINT', () => cancelled.abort(new CommandError('Cancelled.', EXIT.cancelled)));
  process.once('SIGTERM', () => cancelled.abort(new CommandError('Cancelled.', EXIT.cancelled)));
  let exitCode: number;
  try {
    exitCode = (await run(args, serverCommands, cancelled.signal)) ?? EXIT.ok;
  } catch (error) {
    const { report } = await import('./report-error.ts');
    exitCode = report(cancelled.signal.aborted ? cancelled.signal.reason : error, args);
  }
  // Connections that are kept open would keep the process. What is written so far is flushed first.
  process.stdout.write('', () => process.exit(exitCode));
}

/** `spandrel … | head` closes the pipe, which is no error. */
function endQuietlyWithReader(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? EXIT.ok : EXIT.failure));
  }
}

const print = (text: string): undefined => void process.stdout.write(`${text}\n`);

async function run(
  args: readonly string[],
  serverCommands: readonly string[],
  signal: AbortSignal,
): Promise<number | undefined> {
  const [first = '--help'] = args;
  if (first === '--version') return print(VERSION);
  if (first === '--complete') {
    const { complete } = await import('./completion/complete.ts');
    await complete(args.slice(1), serverCommands);
    return undefined;
  }
  if (['--help', '-h', 'help'].includes(first) && args.length <= 1) return print(programHelp(COMMANDS, serverCommands));
  const words = first === 'help' ? [...args.slice(1), '--help'] : args;
  const found = findCommand(words);
  if (!found) return explainNoCommand(words, serverCommands);
  const parsed = parseArguments(found.command, words.slice(found.wordCount));
  if (parsed.values.has('help')) return print(commandHelp(found.command));
  const invocation: Invocation = toInvocation(parsed, signal);
  const action = await found.command.load();
  try {
    return (await action(invocation)) ?? undefined;
  } finally {
    // Also before an error is printed.
    invocation.out.clearProgress();
  }
}

/** Commands of the server's program, which is another package. */
const SERVER_ONLY = ['serve', 'db', 'user', 'config', 'secrets', 'check'];

function explainNoCommand(words: readonly string[], serverCommands: readonly string[]): undefined {
  const [noun = '', verb] = words;
  if (SERVER_ONLY.includes(noun)) {
    throw new UsageError(
      `"spandrel ${noun}" is a command of the server, which this package does not contain. Install the server on its machine and run it there, or with its container image. This client needs only its address: --endpoint <url>.`,
    );
  }
  const name = singular(noun);
  const verbs = COMMANDS.filter(({ path }) => path[0] === name && path.length > 1);
  if (verbs.length > 0 && (verb === undefined || verb === '--help' || verb === '-h'))
    return print(nounHelp(name, verbs));
  if (noun.startsWith('-'))
    throw new UsageError(`A command comes first, then flags: spandrel <command> ${words.slice(0, 2).join(' ')}`);
  const candidates =
    verbs.length > 0
      ? verbs.map(({ path }) => path.slice(1).join(' '))
      : [...new Set([...COMMANDS.map(({ path }) => path[0] ?? ''), ...serverCommands])];
  const near = findNearest((verbs.length > 0 ? verb : noun) ?? '', candidates);
  const prefix = verbs.length > 0 ? `spandrel ${name} ` : 'spandrel ';
  const hint = near ? `Did you mean "${prefix}${near}"?` : `${prefix}--help lists the commands.`;
  const written = `spandrel ${verbs.length > 0 ? `${noun} ${verb}` : noun}`;
  throw new UsageError(`There is no command "${written.slice(0, 100)}". ${hint}`);
}
