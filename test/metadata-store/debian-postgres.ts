import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, chown, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { chooseAccount, runAs } from '../../src/metadata-store/embedded/embedded-account.ts';
import { freePort } from '../e2e/server-process.ts';
import { type CleanUp, query, temporaryDirectory, until } from './fixtures.ts';

const run = promisify(execFile);
const BIN = '/usr/lib/postgresql/15/bin';

/** The least version, as Debian packages it; undefined where that is not installed. */
export const hasDebianPostgres = await access(`${BIN}/postgres`)
  .then(() => run('openssl', ['version']))
  .then(() => true)
  .catch(() => false);

export interface DebianPostgres {
  readonly port: number;
  /** Self-signed, for the name `localhost`. */
  readonly certificate: string;
}

/** Postgres 15 on a TCP port of the loopback, with TLS; `postgres` logs in with the password `secret`. */
export async function openDebianPostgres(cleanUp: CleanUp): Promise<DebianPostgres> {
  const directory = await temporaryDirectory(cleanUp);
  const data = join(directory, 'data');
  const account = chooseAccount(undefined);
  const certificate = join(directory, 'server.crt');
  const key = join(directory, 'server.key');
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  await run('openssl', [
    ...'req -x509 -newkey rsa:2048 -nodes -days 2'.split(' '),
    '-keyout',
    key,
    '-out',
    certificate,
    ...subject,
  ]);
  await writeFile(join(directory, 'password'), 'secret');
  await mkdir(data);
  if (account) for (const path of [data, key]) await chown(path, account.uid, account.gid);
  const as = { ...runAs(account), cwd: '/', env: { LC_ALL: 'C' } };
  const login = ['--auth=scram-sha-256', `--pwfile=${directory}/password`, '--username=postgres'];
  await run(`${BIN}/initdb`, ['-D', data, ...login, '--no-sync', '--encoding=UTF8', '--locale=C'], as);
  const port = await freePort();
  const settings = {
    port,
    listen_addresses: 'localhost',
    unix_socket_directories: '',
    ssl: 'on',
    ssl_cert_file: certificate,
    ssl_key_file: key,
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  await start(cleanUp, { data, flags, port });
  return { port, certificate };
}

/** A standby made by `pg_basebackup`, on a port of its own and without TLS. */
export async function openDebianStandby(cleanUp: CleanUp, primary: DebianPostgres): Promise<{ readonly port: number }> {
  const directory = await temporaryDirectory(cleanUp);
  const data = join(directory, 'data');
  const account = chooseAccount(undefined);
  const login = ['-h', 'localhost', '-p', String(primary.port), '-U', 'postgres'];
  await run(`${BIN}/pg_basebackup`, [...login, '-D', data, '--write-recovery-conf', '--checkpoint=fast', '--no-sync'], {
    ...runAs(account),
    cwd: '/',
    env: { LC_ALL: 'C', PGPASSWORD: 'secret' },
  });
  const port = await freePort();
  await start(cleanUp, {
    data,
    port,
    flags: ['-c', `port=${port}`, '-c', 'listen_addresses=localhost', '-c', 'unix_socket_directories='],
  });
  return { port };
}

async function start(
  cleanUp: CleanUp,
  { data, flags, port }: { readonly data: string; readonly flags: readonly string[]; readonly port: number },
): Promise<void> {
  const as = { ...runAs(chooseAccount(undefined)), cwd: '/', env: { LC_ALL: 'C' } };
  const child = spawn(`${BIN}/postgres`, ['-D', data, ...flags], { ...as, stdio: 'ignore' });
  const exited = once(child, 'exit');
  cleanUp(async () => {
    child.kill('SIGQUIT');
    await exited;
  });
  const url = `postgresql://postgres:secret@localhost:${port}/postgres`;
  await until('Postgres 15 takes connections', () =>
    query(url, 'select 1').then(
      () => true,
      () => false,
    ),
  );
}
