import { type Arguments, type Invocation, UsageError } from './command-line/command.ts';
import { parseFields } from './output/fields.ts';
import { type Format, Output } from './output/output.ts';
import { readVariable } from './settings/environment.ts';
import type { OpenedClient } from './settings/open-client.ts';

/** Makes what actions work with from a parsed command line. */
export function toInvocation({ positionals, values }: Arguments, signal: AbortSignal): Invocation {
  const text = (flag: string) => {
    const value = values.get(flag);
    return typeof value === 'string' ? value : undefined;
  };
  const isSet = (flag: string) => values.has(flag);
  const out = new Output({
    format: formatOf(text('format'), isSet('json'), isSet('jsonl')),
    fields: parseFields(text('fields')),
    progress: isSet('no-progress') ? 'none' : process.stderr.isTTY === true ? 'line' : 'notes',
    hasColor:
      process.stdout.isTTY === true && readVariable('NO_COLOR') === undefined && readVariable('TERM') !== 'dumb',
  });
  const settings = {
    endpoint: text('endpoint'),
    apiKey: text('api-key'),
    profile: text('profile'),
    project: text('project'),
  };
  const open = async (choice = {}): Promise<OpenedClient> => {
    const { openClient } = await import('./settings/open-client.ts');
    return openClient(settings, choice, (message) => out.note(message));
  };
  return {
    argument: (index) => positionals[index] ?? '',
    text,
    isSet,
    list: (flag) => {
      const value = values.get(flag);
      return Array.isArray(value) ? value : [];
    },
    number: (flag) => (text(flag) === undefined ? undefined : Number(text(flag))),
    count(flag) {
      const value = text(flag);
      if (value === undefined) throw new Error(`The table of commands gives --${flag} no default.`);
      return Number(value);
    },
    out,
    signal,
    client: async (choice) => (await open(choice)).client,
    async project() {
      const { client, projectName } = await open();
      if (!projectName) {
        throw new UsageError(
          'No project. Pass --project <name>, or set SPANDREL_PROJECT. spandrel project list shows the names.',
        );
      }
      const { findProjectId } = await import('./actions/find.ts');
      return findProjectId(client, projectName, signal);
    },
    settings,
  };
}

function formatOf(format: string | undefined, isJson: boolean, isJsonLines: boolean): Format {
  if (isJson && isJsonLines) throw new UsageError('Pass --json or --jsonl, and not both.');
  if (isJsonLines) return 'jsonl';
  if (isJson) return format === 'raw' ? 'raw' : 'json';
  return (format as Format | undefined) ?? 'pretty';
}
