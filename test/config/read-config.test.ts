import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { ConfigError, readConfig } from '../../src/config/config.ts';
import type { Environment } from '../../src/config/read-settings.ts';

const configOf = (env: Environment) => readConfig({ env }).config;
const problemsOf = (env: Environment): readonly string[] => {
  try {
    readConfig({ env });
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    return error.problems;
  }
  return [];
};
const originOf = (env: Environment, name: string) =>
  readConfig({ env }).effective.find((setting) => setting.name === name)?.origin;

describe('readConfig', () => {
  let dir: string;
  const write = (name: string, content: string) => {
    const path = join(dir, name);
    writeFileSync(path, content);
    return path;
  };
  before(() => {
    dir = mkdtempSync(join(tmpdir(), 'spandrel-config-'));
  });
  after(() => rmSync(dir, { recursive: true }));

  test('succeeds without any setting', () => {
    const { config, warnings } = readConfig({ env: {} });

    assert.equal(config.http.port, 6006);
    assert.equal(config.grpc.port, 4317);
    assert.equal(config.http.host, '0.0.0.0');
    assert.equal(config.paths.dataDir, join(homedir(), '.spandrel'));
    assert.equal(config.metadata.databaseUrl, undefined);
    assert.equal(config.http.tls, undefined);
    assert.deepEqual(config.log, { form: 'pretty', level: 'info' });
    assert.deepEqual(warnings, []);
  });

  test('is frozen at every depth', () => {
    const { config } = readConfig({ env: { SERVICE_ALLOWED_ORIGINS: 'https://a.example' } });

    assert.throws(() => Object.assign(config.http, { port: 1 }), TypeError);
    assert.throws(() => (config.allowedOrigins as string[]).push('x'), TypeError);
  });

  test('prefers a flag to SERVICE_, and SERVICE_ to PHOENIX_, and trims blanks', () => {
    const env = { SERVICE_PORT: ' 7001 ', PHOENIX_PORT: '7002', PHOENIX_HOST: '127.0.0.1' };

    const reading = readConfig({ env, flags: { PORT: { flag: '--port', text: '7000' } } });

    assert.equal(reading.config.http.port, 7000);
    assert.equal(reading.effective.find(({ name }) => name === 'PORT')?.origin, '--port');
    assert.equal(configOf(env).http.port, 7001);
    assert.equal(originOf(env, 'PORT'), 'SERVICE_PORT');
    assert.equal(configOf(env).http.host, '127.0.0.1');
    assert.equal(originOf(env, 'HOST'), 'PHOENIX_HOST');
  });

  test('treats a blank value as unset, so that the alias counts', () => {
    assert.equal(configOf({ SERVICE_PORT: ' ', PHOENIX_PORT: '7002' }).http.port, 7002);
  });

  test('ignores variables that Kubernetes sets for a service called phoenix or service', () => {
    const env = {
      PHOENIX_PORT: 'tcp://10.0.0.1:6006',
      PHOENIX_SERVICE_HOST: '10.0.0.1',
      SERVICE_PORT: 'tcp://10.0.0.2:80',
      SERVICE_PORT_80_TCP_ADDR: '10.0.0.2',
      SERVICE_SERVICE_HOST: '10.0.0.2',
      SERVICE_SERVICE_PORT_HTTP: '80',
      SERVICE_DB_PORT: 'tcp://10.0.0.3:80',
    };

    const { config, warnings } = readConfig({ env });

    assert.equal(config.http.port, 6006);
    assert.deepEqual(warnings, []);
  });

  test('reports all wrong values at once, with their variables', () => {
    const problems = problemsOf({
      SERVICE_PORT: 'http',
      PHOENIX_GRPC_PORT: '70000',
      SERVICE_READ_ONLY: 'yes',
      SERVICE_HOST_ROOT_PATH: 'spandrel/',
    });

    assert.deepEqual(problems, [
      'Invalid value for environment variable SERVICE_PORT: http. Value must be an integer.',
      'Invalid value for environment variable PHOENIX_GRPC_PORT: 70000. Value must be an integer from 0 to 65535.',
      "Invalid value for environment variable SERVICE_HOST_ROOT_PATH: spandrel/. Value must be a path that starts with '/' and does not end with '/'.",
      "Invalid value for environment variable SERVICE_READ_ONLY: yes. Value must be 'true' or 'false'.",
    ]);
  });

  const WRONG: readonly { name: string; value: string; expected: RegExp }[] = [
    { name: 'PORT', value: '1.5', expected: /an integer\.$/ },
    { name: 'PORT', value: '-1', expected: /from 0 to 65535/ },
    { name: 'ROOT_URL', value: 'example.com', expected: /scheme \(http or https\) and host/ },
    { name: 'ROOT_URL', value: 'ftp://example.com', expected: /scheme/ },
    { name: 'HOST_ROOT_PATH', value: '/', expected: /starts with/ },
    { name: 'MAX_SPANS_QUEUE_SIZE', value: '0', expected: /at least 1/ },
    { name: 'DATABASE_ALLOCATED_STORAGE_CAPACITY_GIBIBYTES', value: '0', expected: /greater than 0/ },
    { name: 'DATABASE_ALLOCATED_STORAGE_CAPACITY_GIBIBYTES', value: 'nan', expected: /a number/ },
    { name: 'DATABASE_USAGE_INSERTION_BLOCKING_THRESHOLD_PERCENTAGE', value: '101', expected: /from 0 to 100/ },
    { name: 'SQL_DATABASE_URL', value: 'sqlite:////tmp/x.db', expected: /embedded Postgres/ },
    { name: 'SQL_DATABASE_URL', value: 'mysql://a/b', expected: /'mysql' is not a supported SQL backend/ },
    { name: 'SQL_DATABASE_URL', value: 'postgresql://user:pw@host', expected: /database name/ },
    { name: 'SQL_DATABASE_SCHEMA', value: 'a; drop', expected: /schema name/ },
    { name: 'LOGGING_LEVEL', value: 'loud', expected: /one of debug, info, warning, error, critical/ },
    { name: 'LOGGING_MODE', value: 'xml', expected: /one of default, structured/ },
    { name: 'ALLOWED_ORIGINS', value: 'https://a.example,b.example', expected: /'b.example' is not an origin/ },
    { name: 'TLS_CERT_FILE', value: '/nowhere/cert.pem', expected: /file that this process can read/ },
    { name: 'SECRET', value: 'short-and-1', expected: /at least 32 characters, with at least one digit/ },
    { name: 'SECRET', value: `two words 1 ${'x'.repeat(32)}`, expected: /without spaces/ },
    { name: 'SECRET', value: `1ü${'x'.repeat(32)}`, expected: /ASCII/ },
    { name: 'SUPPORT_EMAIL', value: 'nobody', expected: /e-mail/ },
  ];
  for (const { name, value, expected } of WRONG) {
    test(`rejects ${value} as ${name}`, () => {
      const [problem, ...others] = problemsOf({ [`SERVICE_${name}`]: value });

      assert.match(problem ?? '', expected);
      assert.deepEqual(others, []);
    });
  }

  test('accepts true, false and levels in any case', () => {
    const { readOnly, log } = configOf({
      SERVICE_READ_ONLY: 'TRUE',
      SERVICE_LOGGING_LEVEL: 'Critical',
      PHOENIX_LOGGING_MODE: 'STRUCTURED',
    });

    assert.equal(readOnly, true);
    assert.deepEqual(log, { form: 'json', level: 'fatal' });
  });

  test('builds the database URL from its parts, and escapes them', () => {
    const env = { PHOENIX_POSTGRES_HOST: 'db:5433', PHOENIX_POSTGRES_USER: 'me', PHOENIX_POSTGRES_PASSWORD: 'a/b@c' };

    assert.equal(configOf(env).metadata.databaseUrl, 'postgresql://me:a%2Fb%40c@db:5433/me');
    assert.equal(
      configOf({ ...env, PHOENIX_POSTGRES_HOST: '::1', PHOENIX_POSTGRES_PORT: '1', PHOENIX_POSTGRES_DB: 'x' }).metadata
        .databaseUrl,
      'postgresql://me:a%2Fb%40c@[::1]:1/x',
    );
    assert.deepEqual(problemsOf({ PHOENIX_POSTGRES_HOST: 'db' }), [
      'PHOENIX_POSTGRES_HOST needs PHOENIX_POSTGRES_USER, which is unset.',
      'PHOENIX_POSTGRES_HOST needs PHOENIX_POSTGRES_PASSWORD, which is unset.',
    ]);
  });

  test('reports everything that contradicts a cloud identity of the database', () => {
    assert.deepEqual(
      problemsOf({
        SERVICE_POSTGRES_USE_AWS_IAM_AUTH: 'true',
        SERVICE_POSTGRES_USE_AZURE_MANAGED_IDENTITY: 'true',
        SERVICE_POSTGRES_PASSWORD: 'p',
        SERVICE_SQL_DATABASE_URL: 'postgresql://u:p@h/d?sslmode=disable',
        SERVICE_SQL_DATABASE_READ_REPLICA_URL: 'postgresql://u@h/d?password=p',
      }),
      [
        'SERVICE_POSTGRES_USE_AWS_IAM_AUTH and SERVICE_POSTGRES_USE_AZURE_MANAGED_IDENTITY must not both be true.',
        'SERVICE_POSTGRES_PASSWORD must be unset, because SERVICE_POSTGRES_USE_AWS_IAM_AUTH replaces the password.',
        'SERVICE_SQL_DATABASE_URL must contain no password, because SERVICE_POSTGRES_USE_AWS_IAM_AUTH replaces it.',
        'SERVICE_SQL_DATABASE_URL must not have sslmode=disable, because SERVICE_POSTGRES_USE_AWS_IAM_AUTH sends tokens over TLS only.',
        'SERVICE_SQL_DATABASE_READ_REPLICA_URL must contain no password, because SERVICE_POSTGRES_USE_AWS_IAM_AUTH replaces it.',
      ],
    );
    assert.deepEqual(problemsOf({ SERVICE_POSTGRES_USE_AWS_IAM_AUTH: 'true' }), [
      'SERVICE_POSTGRES_USE_AWS_IAM_AUTH needs a database: set SERVICE_POSTGRES_HOST and SERVICE_POSTGRES_USER, or SERVICE_SQL_DATABASE_URL.',
    ]);
    const azure = { SERVICE_POSTGRES_USE_AZURE_MANAGED_IDENTITY: 'true', SERVICE_POSTGRES_HOST: 'h' };
    assert.deepEqual(problemsOf({ ...azure, SERVICE_POSTGRES_USER: 'u' }), [
      'SERVICE_POSTGRES_USE_AZURE_MANAGED_IDENTITY needs SERVICE_POSTGRES_DB, which is unset.',
    ]);
    const { metadata } = configOf({ ...azure, SERVICE_POSTGRES_USER: 'u', SERVICE_POSTGRES_DB: 'd' });
    assert.equal(metadata.databaseUrl, 'postgresql://u@h/d');
    assert.deepEqual(metadata.identity, {
      kind: 'azure',
      scope: 'https://ossrdbms-aad.database.windows.net/.default',
    });
  });

  test('reads former secrets from a list with commas, or from lines, and masks them', () => {
    const [one, two] = ['a'.repeat(32) + 1, 'b,'.repeat(20) + 2];

    assert.deepEqual(configOf({ SERVICE_FORMER_SECRETS: `${one}, ${one}` }).formerSecrets, [one, one]);
    assert.deepEqual(configOf({ SERVICE_FORMER_SECRETS: `${one}\n${two}\n` }).formerSecrets, [one, two]);
    assert.deepEqual(configOf({}).formerSecrets, []);
    const problems = problemsOf({ SERVICE_FORMER_SECRETS: `${one},short` });
    assert.match(problems[0] ?? '', /\*\*\*.*number 2 must be a string of at least 32 characters/);
    assert.doesNotMatch(problems[0] ?? '', /aaa|short/);
  });

  test('accepts every form of a Postgres URL and removes the driver', () => {
    const url = (text: string) => configOf({ SERVICE_SQL_DATABASE_URL: text }).metadata.databaseUrl;

    assert.equal(url('postgres://u:p@h/d'), 'postgresql://u:p@h/d');
    assert.equal(url('postgresql+asyncpg://u:p@h/d?sslmode=require'), 'postgresql://u:p@h/d?sslmode=require');
    assert.equal(url('postgresql://a:1,b:2/d'), 'postgresql://a:1,b:2/d');
    assert.equal(url('postgresql:///d?host=/run/postgresql'), 'postgresql:///d?host=/run/postgresql');
  });

  test('reads a secret from the file that NAME_FILE names, and rejects both together', () => {
    const path = write('url', 'postgresql://u:secret@h/d\n');
    const env = { SERVICE_SQL_DATABASE_URL_FILE: path };

    assert.equal(configOf(env).metadata.databaseUrl, 'postgresql://u:secret@h/d');
    assert.equal(originOf(env, 'SQL_DATABASE_URL'), 'SERVICE_SQL_DATABASE_URL_FILE');
    assert.match(problemsOf({ ...env, SERVICE_SQL_DATABASE_URL: 'postgresql://h/d' })[0] ?? '', /^Both .* are set/);
    assert.match(problemsOf({ SERVICE_SQL_DATABASE_URL_FILE: join(dir, 'none') })[0] ?? '', /ENOENT/);
    assert.match(problemsOf({ SERVICE_SQL_DATABASE_URL_FILE: write('empty', '\n') })[0] ?? '', /not empty/);
  });

  test('never shows a secret, whether valid or invalid', () => {
    const secrets = {
      SERVICE_SQL_DATABASE_URL: 'postgresql://u:hidden@h/d?sslpassword=hidden',
      SERVICE_POSTGRES_PASSWORD: 'hidden',
      SERVICE_TLS_KEY_FILE_PASSWORD: 'hidden',
    };

    const shown = readConfig({ env: secrets }).effective.map((setting) => setting.shown);

    assert.ok(shown.includes('postgresql://u:***@h/d?sslpassword=***'));
    assert.doesNotMatch(shown.join('\n'), /hidden/);
    for (const wrong of ['mysql://u:hidden@h/d', 'hidden', 'mysql://u:hid/den@h/d']) {
      const text = problemsOf({ SERVICE_SQL_DATABASE_URL: wrong }).join();
      assert.match(text, /SERVICE_SQL_DATABASE_URL/);
      assert.doesNotMatch(text, /hidden|hid\/den|den@/);
    }
  });

  test('requires certificate and key for each listener with TLS', () => {
    const pem = write('cert.pem', 'x');

    assert.deepEqual(problemsOf({ SERVICE_TLS_ENABLED: 'true' }), [
      'SERVICE_TLS_ENABLED needs SERVICE_TLS_CERT_FILE, which is unset.',
      'SERVICE_TLS_ENABLED needs SERVICE_TLS_KEY_FILE, which is unset.',
    ]);
    const config = configOf({
      SERVICE_TLS_ENABLED: 'true',
      SERVICE_TLS_ENABLED_FOR_GRPC: 'false',
      SERVICE_TLS_CERT_FILE: pem,
      SERVICE_TLS_KEY_FILE: pem,
    });
    assert.deepEqual(config.http.tls, { certFile: pem, keyFile: pem, verifiesClient: false });
    assert.equal(config.grpc.tls, undefined);
    assert.deepEqual(
      problemsOf({
        PHOENIX_TLS_ENABLED: 'true',
        PHOENIX_TLS_CERT_FILE: pem,
        PHOENIX_TLS_KEY_FILE: pem,
        PHOENIX_TLS_VERIFY_CLIENT: 'true',
      }),
      ['PHOENIX_TLS_VERIFY_CLIENT needs PHOENIX_TLS_CA_FILE, which is unset.'],
    );
  });

  test('warns about settings without effect: unused, unsupported and misspelled ones', () => {
    const { warnings } = readConfig({
      env: {
        SERVICE_PROT: '1',
        SERVICE_WORKING_DIRECTORY: '/x',
        SERVICE_QWERTYUIOP: '1',
        PHOENIX_QWERTYUIOP: 'somebody else may use that prefix',
        PHOENIX_ENABLE_MCP_CODE_MODE: 'true',
        PHOENIX_MANAGEMENT_URL: 'https://example.com',
        SERVICE_OAUTH2_GRANT_EXPIRY_DAYS: '9',
        SERVICE_OAUTH2_GOOGLE: 'x',
        PHOENIX_TELEMETRY_ENABLED: 'false',
        PHOENIX_API_KEY: 'for clients',
        SERVICE_HOST_FILE: '/x',
        UNRELATED: '1',
      },
    });

    assert.deepEqual(warnings, [
      'PHOENIX_ENABLE_MCP_CODE_MODE has no effect: the MCP server runs no code of its clients.',
      'PHOENIX_MANAGEMENT_URL has no effect: this version does not use it yet.',
      'PHOENIX_TELEMETRY_ENABLED has no effect: the server sends no usage data to anyone.',
      'SERVICE_HOST_FILE is not a setting.',
      'SERVICE_OAUTH2_GOOGLE is not a setting.',
      'SERVICE_PROT is not a setting; did you mean SERVICE_PORT?',
      'SERVICE_QWERTYUIOP is not a setting.',
      'SERVICE_WORKING_DIRECTORY is not a setting.',
      'SERVICE_OAUTH2_GRANT_EXPIRY_DAYS has no effect: applications get no access, because SERVICE_ENABLE_AUTH is false.',
    ]);
  });

  test('reads how applications get access, and reports every invalid setting of that', () => {
    const env = { SERVICE_ENABLE_AUTH: 'true', SERVICE_SECRET: `secret-0${'a'.repeat(30)}` };
    assert.deepEqual(readConfig({ env }).config.access.authorization, {
      grantMs: 90 * 86_400_000,
      registration: 'enabled',
      registrationsPerHour: 10,
      allowedRedirectHosts: [],
      checksOrigin: true,
    });
    const off = readConfig({ env: { ...env, SERVICE_ENABLE_OAUTH2_AUTHORIZATION_SERVER: 'false' } });
    assert.equal(off.config.access.authorization, undefined);
    assert.equal(readConfig({ env: {} }).config.access.authorization, undefined);
    const invalid = {
      SERVICE_ENABLE_OAUTH2_AUTHORIZATION_SERVER: 'yes',
      SERVICE_OAUTH2_GRANT_EXPIRY_DAYS: '0',
      SERVICE_OAUTH2_DYNAMIC_CLIENT_REGISTRATION: 'local',
      SERVICE_OAUTH2_ALLOWED_REDIRECT_HOSTS: 'https://app.example',
      SERVICE_OAUTH2_DCR_RATE_LIMIT_PER_HOUR: '1.5',
      SERVICE_OAUTH2_CONSENT_ORIGIN_CHECK: 'lax',
    };
    const problems = problemsOf(invalid);
    assert.deepEqual(
      Object.keys(invalid).filter((name) => !problems.some((problem) => problem.includes(name))),
      [],
    );
    assert.equal(problems.length, 6);
  });

  test('accepts an origin with a slash at the end, and *', () => {
    const env = {
      SERVICE_ALLOWED_ORIGINS: 'https://A.example/, http://localhost:5173',
      SERVICE_CSRF_TRUSTED_ORIGINS: '*',
    };

    assert.deepEqual(configOf(env).allowedOrigins, ['https://a.example', 'http://localhost:5173']);
    assert.deepEqual(configOf(env).csrfTrustedOrigins, ['*']);
  });

  test('accepts host names and one level of wildcard, and rejects ports and paths', () => {
    const env = (text: string) => ({ SERVICE_ALLOWED_HOSTS: text });

    assert.deepEqual(configOf(env('Traces.Example, *.corp.example,*')).allowedHosts, [
      'traces.example',
      '*.corp.example',
      '*',
    ]);
    for (const wrong of ['traces.example:6006', 'http://traces.example', 'a.*.example', 'a/b']) {
      assert.throws(() => configOf(env(wrong)), /host names such as traces\.example\.com separated by commas/);
    }
  });
});
