import assert from 'node:assert/strict';
import { userInfo } from 'node:os';
import { describe, test } from 'node:test';
import { maskDatabaseUrl, parseDatabaseUrl } from '../../src/metadata-store/database/database-url.ts';

const READ = [
  ['postgresql://u:p@h:1/d', { hosts: [['h', 1]], user: 'u', password: 'p', database: 'd' }],
  ['postgres://u:p@h/d', { hosts: [['h', 5432]], user: 'u', password: 'p', database: 'd' }],
  ['postgresql+asyncpg://u@h/d?prepared_statement_cache_size=0', { hosts: [['h', 5432]], user: 'u', database: 'd' }],
  ['postgresql://u:p%40%2F%3A@h/d%20e', { hosts: [['h', 5432]], user: 'u', password: 'p@/:', database: 'd e' }],
  ['postgresql://u:100%@h/d', { hosts: [['h', 5432]], user: 'u', password: '100%', database: 'd' }],
  ['postgresql://u:a:b@h/d', { hosts: [['h', 5432]], user: 'u', password: 'a:b', database: 'd' }],
  ['postgresql:///d?host=/run/pg', { hosts: [['/run/pg', 5432]], user: userInfo().username, database: 'd' }],
  ['postgresql://u@%2Frun%2Fpg:99/d', { hosts: [['/run/pg', 99]], user: 'u', database: 'd' }],
  ['postgresql://u@/d?host=/run/pg&port=99', { hosts: [['/run/pg', 99]], user: 'u', database: 'd' }],
  ['postgresql://u@[::1]:5/d', { hosts: [['::1', 5]], user: 'u', database: 'd' }],
  [
    'postgresql://u@a:1,b:2,c/d',
    {
      hosts: [
        ['a', 1],
        ['b', 2],
        ['c', 5432],
      ],
      user: 'u',
      database: 'd',
    },
  ],
  [
    'postgresql://u@/d?host=a,b&port=1,2',
    {
      hosts: [
        ['a', 1],
        ['b', 2],
      ],
      user: 'u',
      database: 'd',
    },
  ],
  ['postgresql://h/?dbname=d&user=u&password=p', { hosts: [['h', 5432]], user: 'u', password: 'p', database: 'd' }],
] as const;

const REFUSED = [
  ['mysql://u:secret@h/d', /^mysql is not a supported SQL backend\/dialect\./],
  ['sqlite:////var/lib/x.db', /keeps its metadata in Postgres, not in SQLite. Unset SERVICE_SQL_DATABASE_URL/],
  ['sqlite:///:memory:', /Unset SERVICE_SQL_DATABASE_URL/],
  ['postgresql://u:secret@h:1', /^Failed to parse database from connection string$/],
  ['postgresql://u:secret@h:1/', /^Failed to parse database from connection string$/],
  ['postgresql://u:secret@h:70000/d', /^70000 is not the port/],
  ['postgresql://u:secret@h:x/d', /^h:x is not a host/],
  ['postgresql://u:secret@h/d?sslmode=maybe', /^sslmode=maybe is not one of disable, allow/],
  ['not a url', /is not a supported SQL backend/],
] as const;

describe('a database URL', () => {
  for (const [url, expected] of READ) {
    test(`is accepted: ${url}`, () => {
      const { hosts, user, password, database } = parseDatabaseUrl(url);

      assert.deepEqual(
        { hosts: hosts.map(({ host, port }) => [host, port]), user, password, database },
        { password: undefined, ...expected },
      );
    });
  }

  for (const [url, text] of REFUSED) {
    test(`is rejected without exposing its password: ${url}`, () => {
      assert.throws(
        () => parseDatabaseUrl(url),
        ({ message }: Error) => {
          assert.match(message, text);
          assert.doesNotMatch(message, /secret/);
          return true;
        },
      );
    });
  }

  for (const [mode, attempts] of [
    ['', ['unverified', 'plain']],
    ['?sslmode=disable', ['plain']],
    ['?sslmode=allow', ['plain', 'unverified']],
    ['?sslmode=prefer', ['unverified', 'plain']],
    ['?sslmode=require', ['unverified']],
    ['?sslmode=verify-ca', ['any name']],
    ['?sslmode=verify-full', ['verified']],
    ['?sslrootcert=system', ['verified']],
  ] as const) {
    test(`with ${mode || 'no sslmode'} is tried ${attempts.join(', then ')}`, () => {
      const { tlsAttempts } = parseDatabaseUrl(`postgresql://u@h/d${mode}`);

      const kinds = tlsAttempts.map((tls) => {
        if (tls === false) return 'plain';
        if (tls.rejectUnauthorized === false) return 'unverified';
        return tls.checkServerIdentity ? 'any name' : 'verified';
      });
      assert.deepEqual(kinds, attempts);
    });
  }

  test('is never tried over TLS at a Unix socket', () => {
    assert.deepEqual(parseDatabaseUrl('postgresql:///d?host=/run&sslmode=require').tlsAttempts, [false]);
  });

  for (const [url, masked] of [
    ['postgresql://u:p%40@h:1/d?sslmode=require', 'postgresql://u:***@h:1/d?sslmode=require'],
    ['postgresql://u:a@b@h/d', 'postgresql://u:***@h/d'],
    ['postgresql://u@h/d?password=p&sslpassword=q', 'postgresql://u@h/d?password=***&sslpassword=***'],
    ['postgresql://u@h/d', 'postgresql://u@h/d'],
  ] as const) {
    test(`is shown as ${masked}`, () => assert.equal(maskDatabaseUrl(url), masked));
  }
});
