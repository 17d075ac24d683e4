import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Config } from '../../src/config/config.ts';
import type { CheckReport, Commands, RunningServer } from '../../src/cli/commands.ts';
import { runCli } from '../../src/cli/run-cli.ts';

const neverCalled = async () => assert.fail('this command must not run');
const NO_COMMANDS: Commands = {
  version: '1.2.3',
  openServer: neverCalled,
  migrate: neverCalled,
  move: neverCalled,
  adopt: neverCalled,
  users: neverCalled,
  rotateSecrets: neverCalled,
  check: neverCalled,
};

/** Only terminals get the banner. A log for terminals starts a thread, so the other tests do not use it. */
const FOR_PEOPLE = { SERVICE_LOGGING_MODE: 'default' };

/** Runs a command line without log output. */
async function run(
  args: readonly string[],
  commands: Partial<Commands> = {},
  env: Record<string, string> = {},
): Promise<{ exitCode: number; out: string; err: string }> {
  const out: string[] = [];
  const err: string[] = [];
  const exitCode = await runCli(args, {
    commands: { ...NO_COMMANDS, ...commands },
    terminal: { out: (line) => out.push(line), err: (line) => err.push(line) },
    env: { SERVICE_LOGGING_LEVEL: 'critical', SERVICE_LOGGING_MODE: 'structured', ...env },
  });
  return { exitCode, out: out.join('\n'), err: err.join('\n') };
}

const runningServer = (close: () => Promise<void>): RunningServer => ({
  httpAddress: 'http://127.0.0.1:6006',
  grpcPort: 4317,
  metadataStore: 'embedded Postgres 18',
  close,
});

/** A server that receives a stop request as soon as it runs. */
const stoppedBy = (signal: NodeJS.Signals, closed: string[] = []): Commands['openServer'] => {
  return async () => {
    setImmediate(() => process.emit(signal, signal));
    return runningServer(async () => void closed.push('closed'));
  };
};

describe('the command line', () => {
  test('prints its version and its help, and exits with 0', async () => {
    assert.deepEqual(await run(['--version']), { exitCode: 0, out: '1.2.3', err: '' });
    const help = await run(['--help']);
    assert.equal(help.exitCode, 0);
    for (const command of ['serve', 'db', 'check']) assert.match(help.out, new RegExp(`^  ${command}`, 'm'));
  });

  for (const args of [[], ['sevre'], ['serve', '--prot', '1'], ['serve', 'now'], ['db'], ['db', 'move']]) {
    test(`rejects \`spandrel ${args.join(' ')}\` as wrong usage`, async () => {
      const { exitCode, err } = await run(args);

      assert.equal(exitCode, 2);
      assert.notEqual(err, '');
    });
  }

  test('rejects invalid settings, all in one message, before anything runs', async () => {
    const { exitCode, err } = await run(['serve', '--port', 'http'], {}, { SERVICE_GRPC_PORT: 'grpc' });

    assert.equal(exitCode, 2);
    assert.match(err, /Invalid value for flag --port: http\. Value must be an integer\./);
    assert.match(err, /Invalid value for environment variable SERVICE_GRPC_PORT: grpc\./);
  });

  test('shows every setting with its source, and masks secrets', async () => {
    const { exitCode, out, err } = await run(
      ['serve', '--port', '7000', '--database-url', 'postgres://u:hidden@h/d', '--print-config'],
      {},
      { PHOENIX_HOST: '::1', SERVICE_PROT: '1' },
    );

    assert.equal(exitCode, 0);
    assert.match(out, /^SERVICE_PORT +7000 +--port$/m);
    assert.match(out, /^SERVICE_HOST +::1 +PHOENIX_HOST$/m);
    assert.match(out, /^SERVICE_GRPC_PORT +4317 +default$/m);
    assert.match(out, /^SERVICE_SQL_DATABASE_URL +postgresql:\/\/u:\*\*\*@h\/d +--database-url$/m);
    assert.doesNotMatch(out, /hidden/);
    assert.match(err, /did you mean SERVICE_PORT\?/);
  });
});

describe('config check', () => {
  test('names every wrong setting of access at once, and opens nothing', async () => {
    const { exitCode, err } = await run(
      ['config', 'check'],
      {},
      {
        SERVICE_ENABLE_AUTH: 'yes',
        SERVICE_SECRET: 'too short',
        SERVICE_ACCESS_TOKEN_EXPIRY_MINUTES: '0',
        SERVICE_TRUSTED_PROXIES: 'proxy.example',
        SERVICE_OAUTH2_IDP_CLIENT_ID: 'spandrel',
        SERVICE_LDAP_HOST: 'directory.example',
        SERVICE_SMTP_HOSTNAME: 'mail.example',
        SERVICE_TLS_ENABLED: 'true',
        SERVICE_POSTGRES_USE_AWS_IAM_AUTH: 'true',
      },
    );

    assert.equal(exitCode, 2);
    for (const name of [
      ...['ENABLE_AUTH', 'SECRET', 'ACCESS_TOKEN_EXPIRY_MINUTES', 'TRUSTED_PROXIES', 'OAUTH2_IDP_OIDC_CONFIG_URL'],
      ...['LDAP_USER_SEARCH_BASE_DNS', 'SMTP_PASSWORD', 'TLS_CERT_FILE', 'POSTGRES_USE_AWS_IAM_AUTH'],
    ])
      assert.ok(err.includes(`SERVICE_${name}`), `${name} in ${err}`);
    assert.doesNotMatch(err, /too short/, 'a secret is not repeated');
  });

  test('accepts valid settings, and repeats their warnings', async () => {
    const secret = `secret-0${'a'.repeat(30)}`;
    const { exitCode, out, err } = await run(
      ['config', 'check'],
      {},
      {
        SERVICE_ENABLE_AUTH: 'true',
        SERVICE_SECRET: secret,
        SERVICE_SMTP_HOSTNAME: 'mail.example',
        SERVICE_SMTP_USERNAME: 'spandrel',
        SERVICE_SMTP_PASSWORD: 'mail-password',
      },
    );

    assert.deepEqual([exitCode, out], [0, 'The settings are valid.']);
    assert.match(err, /ROOT_URL is unset: links in mails work only on this machine/);
    assert.doesNotMatch(out + err, new RegExp(`${secret}|mail-password`));
  });
});

describe('serve', () => {
  test('prints its addresses and how to send a first trace, and exits with 0 after SIGTERM', async () => {
    const closed: string[] = [];
    const { exitCode, out } = await run(
      ['serve'],
      { openServer: stoppedBy('SIGTERM', closed) },
      { ...FOR_PEOPLE, SERVICE_WORKING_DIR: '/data' },
    );

    assert.equal(exitCode, 0);
    assert.deepEqual(closed, ['closed']);
    for (const fact of [
      'Spandrel 1.2.3',
      'http://127.0.0.1:6006/docs',
      '127.0.0.1:4317',
      '/data',
      'embedded Postgres 18',
    ])
      assert.ok(out.includes(fact), `${fact} in ${out}`);
    assert.match(out, /OTEL_EXPORTER_OTLP_ENDPOINT=http:\/\/127\.0\.0\.1:6006/);
    assert.match(out, /Listens +0\.0\.0\.0:6006 \(HTTP\) and 0\.0\.0\.0:4317 \(gRPC\), every network address/);
    assert.match(out, /Sign-in +none: anyone who reaches these addresses can read and change all data/);
  });

  test('shows the root URL if it is set, otherwise the path prefix', async () => {
    const rooted = await run(
      ['serve'],
      { openServer: stoppedBy('SIGINT') },
      { ...FOR_PEOPLE, SERVICE_ROOT_URL: 'https://s.example/x/' },
    );
    const prefixed = await run(
      ['serve'],
      { openServer: stoppedBy('SIGINT') },
      { ...FOR_PEOPLE, SERVICE_HOST_ROOT_PATH: '/x' },
    );

    assert.ok(rooted.out.includes('https://s.example/x/docs'));
    assert.ok(prefixed.out.includes('http://127.0.0.1:6006/x/docs'));
  });

  test('passes its flags to the server', async () => {
    let seen: Config | undefined;
    const openServer: Commands['openServer'] = (config, log, onFatal) => {
      seen = config;
      return stoppedBy('SIGINT')(config, log, onFatal);
    };

    await run(['serve', '--host', '::1', '--port', '1', '--grpc-port', '2', '--read-only'], { openServer });

    assert.equal(seen?.http.host, '::1');
    assert.deepEqual([seen?.http.port, seen?.grpc.port, seen?.readOnly], [1, 2, true]);
  });

  test('explains in one line why it cannot start, and exits with 1', async () => {
    const openServer = async () => {
      throw Object.assign(new Error('listen EADDRINUSE: address already in use 0.0.0.0:6006\n  at …'), {
        code: 'EADDRINUSE',
        port: 6006,
      });
    };

    const { exitCode, out, err } = await run(['serve'], { openServer });

    assert.equal(exitCode, 1);
    assert.equal(out, '');
    assert.match(err, /^spandrel: cannot start: port 6006 is in use .* choose other ports with --port/);
  });

  test('closes a server that a signal interrupts during its start, without announcing it', async () => {
    const closed: string[] = [];
    const openServer = async () => {
      process.emit('SIGTERM', 'SIGTERM');
      await new Promise((resolve) => setImmediate(resolve));
      return runningServer(async () => void closed.push('closed'));
    };

    assert.deepEqual(await run(['serve'], { openServer }), { exitCode: 0, out: '', err: '' });
    assert.deepEqual(closed, ['closed']);
  });

  test('closes and exits with 1 when the server cannot continue', async () => {
    const closed: string[] = [];
    const openServer: Commands['openServer'] = async (_config, _log, onFatal) => {
      setImmediate(() => onFatal(new Error('fdatasync failed')));
      return runningServer(async () => void closed.push('closed'));
    };

    assert.equal((await run(['serve'], { openServer })).exitCode, 1);
    assert.deepEqual(closed, ['closed']);
  });

  test('exits with 1 when closing fails', async () => {
    const openServer: Commands['openServer'] = async (config, log, onFatal) => ({
      ...(await stoppedBy('SIGTERM')(config, log, onFatal)),
      close: () => Promise.reject(new Error('no')),
    });

    assert.equal((await run(['serve'], { openServer })).exitCode, 1);
  });
});

describe('db', () => {
  test('migrate uses the database of the flag and prints its location', async () => {
    const migrate = async ({ metadata }: Config) => `the tables of ${metadata.databaseUrl}`;

    const { exitCode, out } = await run(['db', 'migrate', '--database-url', 'postgres://h/d'], { migrate });

    assert.deepEqual([exitCode, out], [0, 'The metadata store is up to date: the tables of postgresql://h/d']);
  });

  test('move passes on the target, and reports a failure in one line with exit code 1', async () => {
    const seen: string[] = [];
    const move: Commands['move'] = async (_config, targetUrl, _log, onProgress) => {
      seen.push(targetUrl);
      onProgress('projects: 1 row');
      throw new Error('the target is not empty');
    };

    const { exitCode, out, err } = await run(['db', 'move', 'postgres://h/d'], { move });

    assert.deepEqual(seen, ['postgres://h/d']);
    assert.deepEqual([exitCode, out, err], [1, 'projects: 1 row', 'spandrel: the target is not empty']);
  });
});

describe('check', () => {
  const CASES: readonly { what: string; check: () => Promise<CheckReport>; exitCode: number; text: RegExp }[] = [
    {
      what: '0 when all is well',
      check: async () => ({ facts: ['3 spans'], problems: [] }),
      exitCode: 0,
      text: /3 spans\n.*fine/,
    },
    {
      what: '1 when something is wrong',
      check: async () => ({ facts: [], problems: ['bytes 1 to 2 are damaged'] }),
      exitCode: 1,
      text: /PROBLEM: bytes 1 to 2 are damaged/,
    },
    {
      what: '2 when it cannot run',
      check: () => Promise.reject(new Error('a server runs on this directory')),
      exitCode: 2,
      text: /cannot check .*: a server runs/,
    },
  ];
  for (const { what, check, exitCode, text } of CASES) {
    test(`exits with ${what}`, async () => {
      const result = await run(['check'], { check });

      assert.equal(result.exitCode, exitCode);
      assert.match(`${result.out}\n${result.err}`, text);
    });
  }
});
