import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LdapConfig } from '../../../src/config/identity/ldap-config.ts';
import { LDAP_SIGN_IN_COUNT_MAX, LDAP_WAITING_COUNT_MAX } from '../../../src/model/limits/identity-providers.ts';
import { cleanUpAfter } from '../../metadata-store/fixtures.ts';
import { connectToLdap, LdapConnectionError } from '../../../src/identity/ldap/ldap-connection.ts';
import { openLdapDirectory } from '../../../src/identity/ldap/open-ldap-directory.ts';
import { configOf, GROUPS, makeCertificates, noSlapd, PEOPLE, type Slapd, SUFFIX, startSlapd } from './slapd.ts';

const GUID = Buffer.from('33221100554477668899aabbccddeeff', 'hex');

describe('a sign-in at a real directory', { skip: noSlapd }, () => {
  let slapd: Slapd;
  const cleanUp = cleanUpAfter(after);
  before(async () => {
    slapd = await startSlapd(cleanUp);
    await addPerson(slapd, 'ada', { displayName: 'Ada L' });
    await addPerson(slapd, 'bob', {});
    await addPerson(slapd, 'zoë (x)*\\', { mail: 'zoe@example.com' });
    await addPerson(slapd, 'guid', { objectClass: ['inetOrgPerson', 'user'], objectGUID: GUID });
    await addPerson(slapd, 'nomail', { mail: undefined });
    await slapd.add(`ou=other,${SUFFIX}`, { objectClass: 'organizationalUnit', ou: 'other' });
    await slapd.add(`ou=more,${PEOPLE}`, { objectClass: 'organizationalUnit', ou: 'more' });
    await addPerson(slapd, 'bob', { sn: 'second' }, `ou=more,${PEOPLE}`);
    await addPerson(slapd, 'eve', {}, `ou=other,${SUFFIX}`);
    await slapd.add(`ou=elsewhere,${PEOPLE}`, {
      objectClass: ['referral', 'extensibleObject'],
      ou: 'elsewhere',
      ref: 'ldap://127.0.0.1:1/ou=people,dc=other',
    });
    const group = (cn: string, ...members: string[]) =>
      slapd.add(`cn=${cn.replace(',', '\\,')},${GROUPS}`, { objectClass: 'groupOfNames', cn, member: members });
    await group('Admins, all', `uid=ada,${PEOPLE}`);
    await group('dev', `uid=ada,${PEOPLE}`, `uid=guid,${PEOPLE}`);
  });

  const signIn = (changes: Partial<LdapConfig> = {}, name = 'ada', password = `pw of ${name}`) =>
    openLdapDirectory(configOf(slapd, changes)).signIn(name, password);
  const outcomeOf = async (...args: Parameters<typeof signIn>) => (await signIn(...args)).outcome;

  for (const tlsMode of ['starttls', 'ldaps', 'none'] as const) {
    test(`gives the identity with ${tlsMode}`, async () => {
      assert.deepEqual(await signIn({ tlsMode }), {
        outcome: 'signedIn',
        identity: {
          kind: 'ldap',
          dn: `uid=ada,${PEOPLE}`,
          uniqueId: undefined,
          email: 'ada@example.com',
          displayName: 'Ada L',
          groups: [`cn=Admins\\2C all,${GROUPS}`, `cn=dev,${GROUPS}`],
          role: 'VIEWER',
        },
      });
    });
  }

  test('works with an anonymous search', async () => {
    assert.equal(await outcomeOf({ bindDn: undefined, bindPassword: undefined }), 'signedIn');
  });

  test('denies a wrong password and an unknown user', async () => {
    assert.equal(await outcomeOf({}, 'ada', 'pw of bob'), 'denied');
    assert.equal(await outcomeOf({}, 'missing'), 'denied');
    assert.equal(await outcomeOf({}, 'eve'), 'denied', 'outside of the bases');
  });

  for (const [title, name, password] of [
    ['an empty password', 'ada', ''],
    ['an empty name', ' ', 'x'],
    ['a long name', 'x'.repeat(257), 'x'],
    ['a long password', 'ada', 'x'.repeat(1025)],
  ] as const) {
    test(`denies ${title} without a connection`, async () => {
      assert.equal(await outcomeOf({ port: 1 }, name, password), 'denied');
    });
  }

  for (const name of [
    '*',
    'ad*',
    'ada)(uid=*',
    'ada)(|(uid=*',
    '*)(objectClass=*',
    'ada\\2a',
    'a\0da',
    '\\',
    '(',
    'ada,ou=x',
  ]) {
    test(`treats ${JSON.stringify(name)} as a name`, async () => {
      assert.equal(await outcomeOf({}, name, 'pw of ada'), 'denied');
    });
  }

  test('finds a name with all special signs', async () => {
    assert.equal(await outcomeOf({}, 'zoë (x)*\\'), 'signedIn');
  });

  test('denies a name of two entries, even with a right password', async () => {
    assert.deepEqual(await signIn({}, 'bob'), {
      outcome: 'denied',
      reason: 'The name stands for several entries of the directory',
    });
  });

  test('searches the bases in their order', async () => {
    const userBaseDns = [`ou=other,${SUFFIX}`, PEOPLE];

    assert.equal(await outcomeOf({ userBaseDns }, 'eve'), 'signedIn');
    assert.equal(await outcomeOf({ userBaseDns }, 'ada'), 'signedIn');
  });

  const roles: readonly (readonly [title: string, groupDns: readonly string[], expected: string])[] = [
    ['the first mapping that matches', [`cn=x,${GROUPS}`, `cn=dev,${GROUPS}`, '*'], 'MEMBER'],
    ['a mapping for all users', ['*', `cn=dev,${GROUPS}`], 'ADMIN'],
    ['a name in another form', [`CN = Admins\\, ALL , OU=Groups,${SUFFIX.toUpperCase()}`], 'ADMIN'],
    ['no group whose name begins alike', [`cn=de,${GROUPS}`], 'notAllowed'],
  ];
  for (const [title, groupDns, expected] of roles) {
    test(`takes ${title}`, async () => {
      const groupRoles = groupDns.map((groupDn, index) => ({
        groupDn,
        role: (['ADMIN', 'MEMBER', 'VIEWER'] as const)[index] ?? 'VIEWER',
      }));
      const result = await signIn({ groupRoles });

      assert.equal(result.outcome === 'signedIn' ? result.identity.role : result.outcome, expected);
    });
  }

  for (const [title, groupSearch] of [
    ['the name that was entered', { filter: `(member=uid=%s,${PEOPLE})`, userAttribute: undefined }],
    ['the name of the entry', { filter: '(member=%s)', userAttribute: 'dn' }],
    [
      'an attribute',
      { filter: `(&(objectClass=groupOfNames)(member=uid=%s,${PEOPLE}))`, userAttribute: 'displayName' },
    ],
  ] as const) {
    test(`searches groups by ${title}`, async () => {
      await addPerson(slapd, `g-${title.length}`, { displayName: `g-${title.length}` });
      await slapd.add(`cn=g-${title.length},${GROUPS}`, {
        objectClass: 'groupOfNames',
        cn: 'g',
        member: `uid=g-${title.length},${PEOPLE}`,
      });
      const result = await signIn(
        {
          groupSearch: { baseDns: [GROUPS], ...groupSearch },
          groupRoles: [{ groupDn: `cn=g-${title.length},${GROUPS}`, role: 'MEMBER' }],
        },
        `g-${title.length}`,
      );

      assert.equal(result.outcome === 'signedIn' ? result.identity.role : result.outcome, 'MEMBER');
    });
  }

  test('reads a binary GUID with its lowest byte first, and a text as it is', async () => {
    const binary = await signIn({ uniqueIdAttribute: 'objectGUID' }, 'guid');
    const text = await signIn({ uniqueIdAttribute: 'entryUUID' }, 'guid');

    assert.equal(binary.outcome === 'signedIn' && binary.identity.uniqueId, '00112233-4455-6677-8899-aabbccddeeff');
    assert.match(String(text.outcome === 'signedIn' && text.identity.uniqueId), /^[0-9a-f-]{36}$/);
  });

  test('does not sign in without the attributes that identify a person', async () => {
    assert.equal(await outcomeOf({ uniqueIdAttribute: 'objectGUID' }, 'ada'), 'notAllowed');
    assert.equal(await outcomeOf({}, 'nomail'), 'notAllowed');
  });

  test('gives no email when accounts have none', async () => {
    const result = await signIn({ emailAttribute: undefined, uniqueIdAttribute: 'entryUUID' }, 'nomail');

    assert.equal(result.outcome === 'signedIn' ? result.identity.email : result.outcome, null);
  });

  test('trusts only the CA of the settings and only the name of the host', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'spandrel-ca-'));
    const { caFile } = makeCertificates(dir);
    for (const tlsMode of ['starttls', 'ldaps'] as const) {
      assert.equal(await outcomeOf({ tlsMode, caFile }), 'unavailable', 'another CA');
      assert.equal(await outcomeOf({ tlsMode, hosts: ['127.0.0.1'] }), 'unavailable', 'another name');
      assert.equal(await outcomeOf({ tlsMode, hosts: ['127.0.0.1'], caFile, verifiesServer: false }), 'signedIn');
    }
    rmSync(dir, { recursive: true });
  });

  test('shows its client certificate to a directory that demands one', async () => {
    const strict = await startSlapd(cleanUp, { verifiesClients: true });
    await addPerson(strict, 'ada', {});
    const { certFile: clientCertFile, keyFile: clientKeyFile } = strict.certificates;
    for (const tlsMode of ['starttls', 'ldaps'] as const) {
      const outcomeWith = async (changes: Partial<LdapConfig>) =>
        (await openLdapDirectory(configOf(strict, { tlsMode, ...changes })).signIn('ada', 'pw of ada')).outcome;

      assert.equal(await outcomeWith({ clientCertFile, clientKeyFile }), 'signedIn');
      assert.equal(await outcomeWith({}), 'unavailable');
    }
  });

  test('moves on from a server that does not respond', async (t) => {
    const sockets = new Set<Socket>();
    const hanging = createServer((socket) => sockets.add(socket.on('error', () => {})));
    await new Promise<void>((resolve) => hanging.listen(slapd.port, '127.0.0.2', resolve));
    t.after(() => {
      for (const socket of sockets) socket.destroy();
      hanging.close();
    });
    const limits = { connectMsMax: 1000, operationMsMax: 1000, totalMsMax: 20_000 };
    const outcomeAt = async (hosts: string[], tlsMode: LdapConfig['tlsMode'], changes = {}) =>
      (
        await openLdapDirectory(configOf(slapd, { hosts, tlsMode, verifiesServer: false }), {
          ...limits,
          ...changes,
        }).signIn('ada', 'pw of ada')
      ).outcome;

    for (const tlsMode of ['starttls', 'none'] as const) {
      assert.equal(await outcomeAt(['127.0.0.2'], tlsMode), 'unavailable');
      assert.equal(await outcomeAt(['127.0.0.2', '127.0.0.1'], tlsMode), 'signedIn');
    }
    assert.equal(
      await outcomeAt(['127.0.0.2', '127.0.0.2'], 'none', { operationMsMax: 30_000, totalMsMax: 500 }),
      'unavailable',
    );
  });

  test('is unavailable when the service account is wrong, not denied', async () => {
    assert.equal(await outcomeOf({ bindPassword: 'wrong' }), 'unavailable');
  });

  test('moves on only from servers that cannot be reached', async () => {
    const dead = await startSlapd(cleanUp);
    await dead.kill();
    // Names of one machine, of which the second has no listener.
    const hosts = ['localhost', '127.0.0.2'];
    for (let round = 0; round < 6; round++) {
      assert.equal(await outcomeOf({ hosts, verifiesServer: false }), 'signedIn');
      assert.equal(await outcomeOf({ hosts, verifiesServer: false }, 'ada', 'wrong'), 'denied');
    }
    const away = await openLdapDirectory(configOf(dead, { hosts })).signIn('ada', 'x');
    assert.equal(away.outcome, 'unavailable');
    assert.match(
      away.outcome === 'unavailable' ? away.reason : '',
      /localhost: .*127\.0\.0\.2: |127\.0\.0\.2: .*localhost: /,
    );
  });

  test('works again when the directory is back', async () => {
    await slapd.kill();
    assert.equal(await outcomeOf(), 'unavailable');

    await slapd.start();
    assert.equal(await outcomeOf(), 'signedIn');
  });

  test('serves many sign-ins, a few at a time, and rejects a flood', async () => {
    const directory = openLdapDirectory(configOf(slapd, { tlsMode: 'none' }));
    const count = LDAP_SIGN_IN_COUNT_MAX + LDAP_WAITING_COUNT_MAX;
    const outcomes = await Promise.all(
      Array.from({ length: count + 5 }, async () => (await directory.signIn('ada', 'pw of ada')).outcome),
    );

    assert.equal(outcomes.filter((outcome) => outcome === 'signedIn').length, count);
    assert.equal(outcomes.filter((outcome) => outcome === 'unavailable').length, 5);
  });
});

describe('a directory that breaks off', () => {
  for (const [title, ends] of [
    ['ends the connection after StartTLS', true],
    ['rejects StartTLS', false],
  ] as const) {
    test(`never receives a password without encryption when it ${title}`, (t) => expectNoPassword(t, ends));
  }

  async function expectNoPassword(t: TestContext, ends: boolean): Promise<void> {
    const received: Buffer[] = [];
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('data', (data) => {
        received.push(data);
        if (ends) socket.end(successOf(data, 0x78));
        else socket.write(protocolErrorOf(data));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    t.after(() => {
      for (const socket of sockets) socket.destroy();
      server.close();
    });
    const { port } = server.address() as { port: number };
    const slapd = { port, certificates: { caFile: undefined } } as never;
    const directory = openLdapDirectory(configOf(slapd, { hosts: ['127.0.0.1'], bindPassword: 'service-password' }));

    const result = await directory.signIn('ada', 'my-password');

    assert.equal(result.outcome, 'unavailable');
    assert.ok(received.length > 0);
    assert.doesNotMatch(Buffer.concat(received).toString('latin1'), /password/);
  }

  test('is not connected again, because the new connection would have no rights and no encryption', async (t) => {
    let connectionCount = 0;
    const server = createServer((socket) => {
      connectionCount++;
      socket.on('error', () => {});
      // Accepts the bind and ends the connection.
      socket.once('data', (data) => socket.end(successOf(data, 0x61)));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    t.after(() => server.close());
    const { port } = server.address() as { port: number };
    const config = configOf({ port, certificates: { caFile: undefined } } as never, { hosts: [], tlsMode: 'none' });
    const limits = { connectMsMax: 5000, operationMsMax: 5000, totalMsMax: 5000 };
    const connection = await connectToLdap(config, '127.0.0.1', { signal: new AbortController().signal, limits });
    await connection.bind('cn=x', 'y');
    await sleep(50);

    const search = connection.search('dc=x', { filter: '(a=b)', attributes: [], entryCountMax: 1 });

    await assert.rejects(search, LdapConnectionError);
    assert.equal(connectionCount, 1);
    connection.close();
  });

  test('has filters that are checked at the start', () => {
    const config = configOf({ port: 1, certificates: { caFile: undefined } } as never, {
      userFilter: '(&(uid=%s)(x))',
    });

    assert.throws(() => openLdapDirectory(config), /SERVICE_LDAP_USER_SEARCH_FILTER/);
  });
});

/** Success as the response to a short message: of a bind (0x61) or an extended operation (0x78). */
function successOf(request: Buffer, kind: number): Buffer {
  const messageId = request[4] ?? 0;
  return Buffer.from([0x30, 0x0c, 0x02, 0x01, messageId, kind, 0x07, 0x0a, 0x01, 0x00, 0x04, 0x00, 0x04, 0x00]);
}

const protocolErrorOf = (request: Buffer): Buffer => {
  const response = successOf(request, 0x78);
  response[9] = 2;
  return response;
};

type Attributes = Record<string, string | string[] | Buffer | undefined>;

async function addPerson(slapd: Slapd, uid: string, changes: Attributes, base = PEOPLE): Promise<void> {
  const attributes = {
    objectClass: 'inetOrgPerson',
    uid,
    cn: uid,
    sn: uid,
    mail: `${encodeURIComponent(uid)}@example.com`,
    userPassword: `pw of ${uid}`,
    ...changes,
  };
  const given = Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined));
  const escaped = uid.replace(/[,+"\\<>;=#]/g, '\\$&');
  await slapd.add(`uid=${escaped},${base}`, given as never);
}
