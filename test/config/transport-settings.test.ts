import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readConfig } from '../../src/config/config.ts';
import type { Environment } from '../../src/config/read-settings.ts';

const configOf = (env: Environment) => readConfig({ env }).config;

const MAIL = {
  SERVICE_SMTP_HOSTNAME: 'mail.example.com',
  SERVICE_SMTP_USERNAME: 'spandrel',
  SERVICE_SMTP_PASSWORD: 'a password',
};

describe('settings of the transport', () => {
  test('accept addresses and networks of proxies, and reject other texts', () => {
    const env = (text: string) => ({ SERVICE_TRUSTED_PROXIES: text });

    assert.deepEqual(configOf(env('10.0.0.5, 192.168.0.0/16,2001:db8::/32,::1')).trustedProxies, [
      ...['10.0.0.5', '192.168.0.0/16', '2001:db8::/32', '::1'],
    ]);
    for (const wrong of [
      'proxy.example',
      '10.0.0.0/33',
      '10.0.0.0/-1',
      '10.0.0.0/8/8',
      '::/129',
      'fe80::1%eth0',
      '*',
    ]) {
      assert.throws(() => configOf(env(wrong)), /must be IP addresses or networks such as 10\.0\.0\.0\/8/, wrong);
    }
  });

  test('bind metrics to loopback, whatever the host, unless overridden', () => {
    assert.equal(configOf({ SERVICE_HOST: '0.0.0.0' }).metrics.host, '127.0.0.1');
    assert.equal(configOf({ SERVICE_METRICS_HOST: '0.0.0.0' }).metrics.host, '0.0.0.0');
  });

  test('limit requests unless overridden', () => {
    assert.equal(configOf({}).hasRateLimits, true);
    assert.equal(configOf({ PHOENIX_DISABLE_RATE_LIMIT: 'true' }).hasRateLimits, false);
  });
});

describe('settings of mail', () => {
  test('are complete with host, user and password', () => {
    assert.deepEqual(configOf(MAIL).mail, {
      ...{ host: 'mail.example.com', port: 587, username: 'spandrel', password: 'a password' },
      ...{ from: 'noreply@mail.example.com', verifiesCertificate: true, caFile: undefined },
    });
    assert.equal(configOf({}).mail, undefined);
    assert.equal(configOf({ ...MAIL, SERVICE_SMTP_USERNAME: 'me@example.com' }).mail?.from, 'me@example.com');
  });

  test('need a user and a password, both named at once', () => {
    assert.throws(
      () => configOf({ PHOENIX_SMTP_HOSTNAME: 'mail.example.com' }),
      /PHOENIX_SMTP_HOSTNAME needs PHOENIX_SMTP_USERNAME, which is unset\.\n.*PHOENIX_SMTP_PASSWORD/,
    );
  });

  test('never show the password', () => {
    const shown = JSON.stringify(readConfig({ env: MAIL }).effective);

    assert.doesNotMatch(shown, /a password/);
  });

  test('warn about a storage mail that cannot be sent', () => {
    const name = 'SERVICE_DATABASE_USAGE_EMAIL_WARNING_THRESHOLD_PERCENTAGE';
    const capacity = { SERVICE_DATABASE_ALLOCATED_STORAGE_CAPACITY_GIBIBYTES: '1' };

    const rootUrl = { SERVICE_ROOT_URL: 'https://traces.example.com' };

    assert.deepEqual(readConfig({ env: { [name]: '80', ...capacity, ...MAIL, ...rootUrl } }).warnings, []);
    assert.deepEqual(readConfig({ env: MAIL }).warnings, [
      'SERVICE_ROOT_URL is unset: links in mails work only on this machine.',
    ]);
    assert.equal(configOf({ [name]: '80', ...capacity, ...MAIL }).capacity.warningPercent, 80);
    assert.deepEqual(readConfig({ env: { [name]: '80' } }).warnings, [
      `${name} has no effect: SERVICE_DATABASE_ALLOCATED_STORAGE_CAPACITY_GIBIBYTES is unset.`,
      `${name} has no effect: SERVICE_SMTP_HOSTNAME is unset.`,
    ]);
  });
});
