import { Command, CommanderError } from 'commander';
import { ConfigError, type ConfigReading, readConfig } from '../config/config.ts';
import type { Environment, FlagTexts } from '../config/read-settings.ts';
import { check } from './check.ts';
import type { Commands, Terminal, UserCommands } from './commands.ts';
import { adoptDatabase, migrateDatabase, moveDatabase } from './database.ts';
import { EXIT } from './exit-codes.ts';
import { printConfig } from './print-config.ts';
import { rotateSecrets } from './secrets.ts';
import { serve } from './serve.ts';
import { runUserCommand, showPassword, toTable } from './users.ts';

interface ServeFlags extends DatabaseFlag {
  readonly host?: string;
  readonly port?: string;
  readonly grpcPort?: string;
  readonly readOnly?: boolean;
  readonly debug?: boolean;
  readonly printConfig?: boolean;
}
interface DatabaseFlag {
  readonly databaseUrl?: string;
}

const DATABASE_URL = '--database-url <url>';
const DATABASE_URL_HELP = 'external Postgres (visible in the process list; SERVICE_SQL_DATABASE_URL is safer)';

/**
 * Runs one command line and resolves with the exit code.
 *
 * @param args the arguments after the program's name
 */
export async function runCli(
  args: readonly string[],
  { commands, terminal, env }: { readonly commands: Commands; readonly terminal: Terminal; readonly env?: Environment },
): Promise<number> {
  let exitCode: number = EXIT.ok;
  const read = (flags: FlagTexts): ConfigReading => readConfig({ flags, ...(env && { env }) });

  const program = new Command('spandrel')
    .description('Observes and evaluates applications built on language models.')
    .version(commands.version, '--version', 'print the version')
    .helpOption('--help', 'print this help')
    .helpCommand(false)
    .configureOutput({
      writeOut: (text) => terminal.out(text.trimEnd()),
      writeErr: (text) => terminal.err(text.trimEnd()),
    })
    .configureHelp({ showGlobalOptions: false })
    .showHelpAfterError('Run with --help to list commands and options.')
    .exitOverride()
    .addHelpText(
      'after',
      '\nCommands of the client, which read and write the data of a running server: project, trace, span, dataset, …\n' +
        '`spandrel help` lists them.\n\nSettings are environment variables, such as SERVICE_PORT; a flag takes precedence over its variable.\n' +
        '`spandrel serve --print-config` shows all of them.\n\nExit codes: 0 success, 1 failure, 2 invalid arguments or settings.',
    );

  program
    .command('serve')
    .description('run the server')
    .option('--host <address>', 'address to listen on')
    .option('--port <number>', 'HTTP port; 0 selects a free port')
    .option('--grpc-port <number>', 'OTLP gRPC port; 0 selects a free port')
    .option(DATABASE_URL, DATABASE_URL_HELP)
    .option('--read-only', 'reject every request that changes data')
    .option('--debug', 'log at level debug')
    .option('--print-config', 'show every setting with its value and source, and exit')
    .action(async (flags: ServeFlags) => {
      const reading = read(serveFlagTexts(flags));
      if (flags.printConfig) printConfig(reading, terminal);
      else exitCode = await serve(reading, commands, terminal);
    });

  const database = program.command('db').description('manage the metadata store');
  database
    .command('migrate')
    .description('migrate its tables, and exit')
    .option(DATABASE_URL, DATABASE_URL_HELP)
    .action(async (flags: DatabaseFlag) => {
      exitCode = await migrateDatabase(read(databaseFlagTexts(flags)), commands, terminal);
    });
  database
    .command('move')
    .description('copy the embedded database to another Postgres; stop the server first')
    .argument('<url>', 'target, such as postgresql://user:password@host:5432/database')
    .action(async (targetUrl: string) => {
      exitCode = await moveDatabase(read({}), targetUrl, commands, terminal);
    });
  database
    .command('adopt')
    .description(
      'assign the database to this data directory, whatever its previous owner; stop all servers on either first',
    )
    .option(DATABASE_URL, DATABASE_URL_HELP)
    .action(async (flags: DatabaseFlag) => {
      exitCode = await adoptDatabase(read(databaseFlagTexts(flags)), commands, terminal);
    });

  const user = program.command('user').description('manage users; servers may run, and notice changes within a second');
  const runUsers = async (flags: DatabaseFlag, run: (users: UserCommands) => Promise<readonly string[]>) => {
    exitCode = await runUserCommand(read(databaseFlagTexts(flags)), commands, terminal, run);
  };
  user
    .command('list')
    .description('list all users')
    .option(DATABASE_URL, DATABASE_URL_HELP)
    .action((flags: DatabaseFlag) => runUsers(flags, async (users) => toTable(await users.list())));
  user
    .command('create-admin')
    .description('create an administrator, and print a password')
    .argument('<email>', 'email, for the sign-in')
    .option('--username <name>', 'name to show; by default the part of the email before the @')
    .option(DATABASE_URL, DATABASE_URL_HELP)
    .action((email: string, flags: DatabaseFlag & { readonly username?: string }) =>
      runUsers(flags, async (users) => {
        const username = flags.username ?? email.slice(0, email.lastIndexOf('@'));
        return showPassword(email, await users.createAdmin({ email, username }));
      }),
    );
  user
    .command('reset-password')
    .description('set a new password, print it, and end all sessions and the lock of the user')
    .argument('<email>')
    .option(DATABASE_URL, DATABASE_URL_HELP)
    .action((email: string, flags: DatabaseFlag) =>
      runUsers(flags, async (users) => showPassword(email, await users.resetPassword(email))),
    );
  user
    .command('unlock')
    .description('end the lock after failed sign-ins')
    .argument('<account>', 'email, or the name at the directory')
    .option(DATABASE_URL, DATABASE_URL_HELP)
    .action((account: string, flags: DatabaseFlag) =>
      runUsers(flags, async (users) => {
        await users.unlock(account);
        return [`${account} may sign in again.`];
      }),
    );
  user
    .command('end-sessions')
    .description('sign a user and all apps of the user out everywhere; keys stay')
    .argument('<email>')
    .option(DATABASE_URL, DATABASE_URL_HELP)
    .action((email: string, flags: DatabaseFlag) =>
      runUsers(flags, async (users) => [`Sessions ended: ${await users.endSessions(email)}`]),
    );

  program
    .command('config')
    .description('check the settings')
    .command('check')
    .description('read all settings, report every invalid one, and exit')
    .addHelpText('after', '\nExit codes: 0 all are valid, 2 some are not.')
    .action(() => {
      const { warnings } = read({});
      for (const warning of warnings) terminal.err(warning);
      terminal.out('The settings are valid.');
    });

  program
    .command('secrets')
    .description('manage stored credentials')
    .command('rotate')
    .description('encrypt all of them with SERVICE_SECRET; servers may run')
    .option(DATABASE_URL, DATABASE_URL_HELP)
    .addHelpText('after', '\nExit codes: 0 all are encrypted with it, 1 some could not be decrypted.')
    .action(async (flags: DatabaseFlag) => {
      exitCode = await rotateSecrets(read(databaseFlagTexts(flags)), commands, terminal);
    });

  program
    .command('check')
    .description('verify the whole data directory and report its contents and problems; stop the server first')
    .addHelpText('after', '\nExit codes: 0 no problems, 1 the data has problems, 2 the data could not be read.')
    .action(async () => {
      exitCode = await check(read({}), commands, terminal);
    });

  try {
    await program.parseAsync(args, { from: 'user' });
    return exitCode;
  } catch (error) {
    // Commander has already printed its own errors. Help and version also end this way.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    if (!(error instanceof ConfigError)) throw error;
    terminal.err(`spandrel: ${error.message}`);
    return EXIT.usage;
  }
}

function serveFlagTexts(flags: ServeFlags): FlagTexts {
  return {
    ...databaseFlagTexts(flags),
    ...(flags.host !== undefined && { HOST: { flag: '--host', text: flags.host } }),
    ...(flags.port !== undefined && { PORT: { flag: '--port', text: flags.port } }),
    ...(flags.grpcPort !== undefined && { GRPC_PORT: { flag: '--grpc-port', text: flags.grpcPort } }),
    ...(flags.readOnly && { READ_ONLY: { flag: '--read-only', text: 'true' } }),
    ...(flags.debug && { LOGGING_LEVEL: { flag: '--debug', text: 'debug' } }),
  };
}

const databaseFlagTexts = ({ databaseUrl }: DatabaseFlag): FlagTexts =>
  databaseUrl === undefined ? {} : { SQL_DATABASE_URL: { flag: '--database-url', text: databaseUrl } };
