import { AnswerError, ArgumentError, ConnectionError, HttpError } from '@spandrel/client';
import { CommandError, UsageError } from './command-line/command.ts';
import { EXIT } from './exit-codes.ts';
import { describeFileError, isFileError } from './output/file-error.ts';
import { toLine } from './output/text.ts';
import { readSetting } from './settings/environment.ts';

const MESSAGE_LENGTH_MAX = 1_500;

/** Prints an error in one line, with its stack only after `--debug`. Returns the exit code. */
export function report(error: unknown, args: readonly string[]): number {
  const secrets = [keyOfFlag(args), readSetting('API_KEY')].filter((key) => key !== undefined && key.length > 3);
  const redact = (text: string) => secrets.reduce<string>((shown, key) => shown.replaceAll(key ?? '', '<key>'), text);
  process.stderr.write(`spandrel: ${redact(toLine(describe(error), MESSAGE_LENGTH_MAX))}\n`);
  if (args.includes('--debug') && error instanceof Error) process.stderr.write(`${redact(error.stack ?? '')}\n`);
  return exitCodeOf(error);
}

function keyOfFlag(args: readonly string[]): string | undefined {
  const inline = args.find((word) => word.startsWith('--api-key='));
  const index = args.indexOf('--api-key');
  return inline?.slice('--api-key='.length) ?? (index < 0 ? undefined : args[index + 1]);
}

function describe(error: unknown): string {
  if (error instanceof HttpError && error.status === 401) {
    return `${error.message} Or sign in: spandrel auth login`;
  }
  if (error instanceof ConnectionError) {
    if (/wrong version number|EPROTO/.test(error.message)) {
      return `${new URL(error.url).origin} does not speak https. Is the address http://${new URL(error.url).host}?`;
    }
    return error.message.replace('SPANDREL_ENDPOINT sets', '--endpoint <url> or SPANDREL_ENDPOINT sets');
  }
  if (isFileError(error)) return describeFileError(error);
  if (error instanceof TypeError) {
    return `The server answered in a form that this client does not know (${error.message}). spandrel doctor shows its version, --debug where it happened.`;
  }
  // The client names its option; here the address has other sources.
  if (error instanceof ArgumentError && /^baseUrl\b/.test(error.message))
    return error.message.replace('baseUrl', 'The address of the server (--endpoint, SPANDREL_ENDPOINT or a profile)');
  if (error instanceof Error) return error.message || error.name;
  return String(error);
}

function exitCodeOf(error: unknown): number {
  if (error instanceof CommandError) return error.exitCode;
  if (error instanceof UsageError || error instanceof ArgumentError) return EXIT.usage;
  if (error instanceof ConnectionError || error instanceof AnswerError) return EXIT.network;
  if (error instanceof HttpError && (error.status === 401 || error.status === 403)) return EXIT.authentication;
  return EXIT.failure;
}
