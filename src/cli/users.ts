import { openLog } from '../base/log.ts';
import type { ConfigReading } from '../config/config.ts';
import type { Commands, Terminal, UserCommands, UserLine } from './commands.ts';
import { EXIT } from './exit-codes.ts';
import { explainStartupError } from './startup-error.ts';

/** Runs a command about users and prints its lines. */
export async function runUserCommand(
  { config }: ConfigReading,
  commands: Commands,
  terminal: Terminal,
  run: (users: UserCommands) => Promise<readonly string[]>,
): Promise<number> {
  try {
    for (const line of await run(await commands.users(config, openLog(config.log)))) terminal.out(line);
    return EXIT.ok;
  } catch (error) {
    terminal.err(`spandrel: ${explainStartupError(error, config)}`);
    return EXIT.failure;
  }
}

/** A table with a column as wide as its longest cell. */
export function toTable(users: readonly UserLine[]): string[] {
  const head = ['EMAIL', 'NAME', 'ROLE', 'SIGN-IN', 'SESSIONS'];
  const rows = users.map(({ email, username, role, authMethod, isActive, sessionCount }) => [
    ...[
      email || '(none)',
      username,
      role,
      isActive ? authMethod : `${authMethod} (switched off)`,
      String(sessionCount),
    ],
  ]);
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)));
  return [head, ...rows].map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

/** Lines that show a generated password. */
export const showPassword = (email: string, password: string): string[] => [
  `Email:    ${email}`,
  `Password: ${password}`,
  'It is shown only now, and must be changed at the next sign-in.',
];
