import type { Log } from './base/log.ts';
import type { Config } from './config/config.ts';
import { SIGN_IN_OFF } from './model/access/caller.ts';
import { PAGE_ROW_COUNT_MAX } from './model/limits/reads.ts';
import { createAdmin, endSessions, replacePassword, unlock } from './domain/access/manage-users.ts';
import type { UserCommands, UserLine } from './cli/commands.ts';
import { withDatabaseWhileServerRuns } from './database-while-server-runs.ts';
import { createAccessPorts } from './open-access.ts';

/** Changes users on the database, whether or not a server runs. A running server notices each change within a second. */
export function userCommands(config: Config, log: Log): UserCommands {
  const run = <T>(work: (ports: ReturnType<typeof portsOf>) => Promise<T>): Promise<T> =>
    withDatabaseWhileServerRuns(config, log, 'spandrel user', (db) => work(portsOf(db)));
  const portsOf = (db: Parameters<typeof createAccessPorts>[1]) => ({
    ...createAccessPorts({ config, log }, db),
    caller: SIGN_IN_OFF,
    remoteAddress: 'command line',
  });
  return {
    list: () =>
      run(async ({ users, userSessions }) => {
        const lines: UserLine[] = [];
        for (let offset = 0; ; offset += PAGE_ROW_COUNT_MAX) {
          const page = await users.listByEmail({ limit: PAGE_ROW_COUNT_MAX, offset });
          for (const { rowId, email, username, role, authMethod, isActive } of page) {
            const sessionCount = (await userSessions.list(rowId)).length;
            lines.push({ email: email ?? '', username, role, authMethod, isActive, sessionCount });
          }
          if (page.length < PAGE_ROW_COUNT_MAX) return lines;
        }
      }),
    createAdmin: (account) => run(async (ports) => (await createAdmin(ports, account)).password),
    resetPassword: (email) => run((ports) => replacePassword(ports, email)),
    unlock: (account) => run((ports) => unlock(ports, account)),
    endSessions: (email) => run((ports) => endSessions(ports, email)),
  };
}
