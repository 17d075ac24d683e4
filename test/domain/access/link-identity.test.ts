import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ExternalIdentity, LdapIdentity, OidcIdentity } from '../../../src/model/access/external-identity.ts';
import { userDirectory } from '../../../src/metadata-store/access/identities.ts';
import { linkedIdentityRepository } from '../../../src/metadata-store/access/linked-identities.ts';
import { createUser } from '../../../src/metadata-store/access/users.ts';
import type { Db } from '../../../src/metadata-store/database/database.ts';
import { cleanUpAfter, openTestPostgres, openTestStore } from '../../metadata-store/fixtures.ts';
import { findOrCreateUser, type LinkPolicy } from '../../../src/domain/access/sign-in/link-identity.ts';
import type { NewExternalUser, UserDirectory } from '../../../src/domain/access/user-directory.ts';

const OPEN: LinkPolicy = { allowsSignUp: true, updatesRole: true };
const CLOSED: LinkPolicy = { allowsSignUp: false, updatesRole: true };

const oidc = (subject: string, changes: Partial<OidcIdentity> = {}): OidcIdentity => ({
  kind: 'oidc',
  provider: 'idp',
  issuer: 'https://idp.example',
  clientId: 'spandrel',
  subject,
  email: `${subject}@example.com`.toLowerCase(),
  isEmailUnverified: false,
  displayName: `Name of ${subject}`,
  pictureUrl: undefined,
  groups: [],
  role: undefined,
  ...changes,
});
const ldap = (id: string, changes: Partial<LdapIdentity> = {}): LdapIdentity => ({
  kind: 'ldap',
  dn: `uid=${id},dc=example`,
  uniqueId: id,
  email: `${id}@example.com`.toLowerCase(),
  displayName: `Name of ${id}`,
  groups: [],
  role: 'MEMBER',
  ...changes,
});

describe('findOrCreateUser', () => {
  let db: Db;
  let directory: UserDirectory;
  const cleanUp = cleanUpAfter(after);
  before(async () => {
    const server = await openTestPostgres(cleanUp);
    db = (await openTestStore(cleanUp, { url: await server.newDatabase() })).db;
    directory = userDirectory(db);
  });

  const link = (identity: ExternalIdentity, policy = OPEN) =>
    findOrCreateUser({ userDirectory: directory, linkedIdentities: linkedIdentityRepository(db) }, identity, policy);
  const linked = async (...args: Parameters<typeof link>) => {
    const result = await link(...args);
    assert.ok(!('error' in result), JSON.stringify(result));
    return result;
  };
  const errorOf = async (...args: Parameters<typeof link>) => {
    const result = await link(...args);
    return 'error' in result ? result.error : undefined;
  };
  /** An account that an administrator made. */
  const premade = async (
    email: string,
    authMethod: 'LOCAL' | 'OAUTH2' | 'LDAP',
    ids: Partial<NewExternalUser> = {},
  ) => {
    const user = await createUser(db, {
      role: 'MEMBER',
      username: `made ${email}`,
      email,
      authMethod,
      passwordHash: authMethod === 'LOCAL' ? 'x' : null,
    });
    if (Object.keys(ids).length > 0) await directory.update(user.rowId, ids);
    return user.rowId;
  };

  test('creates a viewer at the first sign-in and finds the user at the next', async () => {
    const first = await linked(oidc('a'));
    const second = await linked(oidc('a'));

    assert.equal(first.change, 'created');
    assert.deepEqual(
      [first.user.role, first.user.username, first.user.oidcIssuer, first.user.authMethod],
      ['VIEWER', 'Name of a', 'https://idp.example', 'OAUTH2'],
    );
    assert.deepEqual([second.change, second.user.rowId], ['none', first.user.rowId]);
  });

  test('follows email, picture, groups and role, and keeps the name', async () => {
    const { user } = await linked(oidc('b'));
    const changes = {
      email: 'new-b@example.com',
      pictureUrl: 'https://x.example/',
      groups: ['g'],
      displayName: 'Other',
    };

    const updated = await linked(oidc('b', { ...changes, role: 'ADMIN' }));

    assert.deepEqual([updated.change, updated.before], ['updated', user]);
    assert.deepEqual(
      [
        updated.user.email,
        updated.user.profilePictureUrl,
        updated.user.groups,
        updated.user.role,
        updated.user.username,
      ],
      ['new-b@example.com', 'https://x.example/', ['g'], 'ADMIN', 'Name of b'],
    );
    assert.equal((await linked(oidc('b', changes))).user.role, 'ADMIN', 'no role keeps the role');
    const kept = await linked(oidc('b', { ...changes, role: 'VIEWER' }), { ...OPEN, updatesRole: false });
    assert.equal(kept.user.role, 'ADMIN', 'without resync');
  });

  test('does not replace an email by one that is not verified', async () => {
    await linked(oidc('c'));
    const { user } = await linked(oidc('c', { email: 'victim@example.com', isEmailUnverified: true }));

    assert.equal(user.email, 'c@example.com');
  });

  for (const method of ['LOCAL', 'LDAP', 'OAUTH2'] as const) {
    test(`takes over no account of the method ${method} by its email while sign-up is on`, async () => {
      const email = `owner-${method}@example.com`.toLowerCase();
      await premade(email, method);

      assert.equal(await errorOf(oidc(`thief-${method}`, { email })), 'email_in_use');
    });
  }

  test('links an account of an administrator by email while sign-up is off', async () => {
    const rowId = await premade('d@example.com', 'OAUTH2');

    const result = await linked(oidc('d'), CLOSED);

    assert.deepEqual([result.change, result.user.rowId, result.user.role], ['linked', rowId, 'MEMBER']);
    assert.equal((await linked(oidc('d', { email: 'd2@example.com' }), CLOSED)).user.rowId, rowId);
    assert.equal(await errorOf(oidc('d-other', { email: 'd2@example.com' }), CLOSED), 'sign_in_not_allowed');
  });

  test('links none when the provider marks the email as not verified', async () => {
    await premade('e@example.com', 'OAUTH2');

    assert.equal(await errorOf(oidc('e', { isEmailUnverified: true }), CLOSED), 'sign_in_not_allowed');
    assert.equal((await linked(oidc('e'), CLOSED)).change, 'linked');
  });

  test('links an account of SCIM by its email, also while sign-up is on, and none by its external ID', async () => {
    const provisioned = async (name: string, externalId: string | null, authMethod: 'OAUTH2' | 'LDAP' = 'OAUTH2') => {
      const email = `${name}@example.com`;
      const fields = { username: name, email, authMethod, role: 'MEMBER', passwordHash: null } as const;
      return (await createUser(db, { ...fields, provisioned: { externalId } })).rowId;
    };
    const byEmail = await provisioned('scim-a', null);
    const verified = await provisioned('scim-b', 'scim-b-subject');
    await provisioned('scim-c', null, 'LDAP');

    assert.equal((await linked(oidc('scim-a'))).user.rowId, byEmail);
    assert.equal(await errorOf(oidc('scim-b-subject'), CLOSED), 'sign_in_not_allowed');
    const email = 'scim-b@example.com';
    assert.equal(await errorOf(oidc('scim-b', { email, isEmailUnverified: true })), 'sign_in_not_allowed');
    assert.equal((await linked(oidc('scim-b-subject', { email }), CLOSED)).user.rowId, verified);
    assert.equal(await errorOf(oidc('scim-c'), CLOSED), 'sign_in_not_allowed');
    // An identity is linked once.
    for (const changes of [{ subject: 'thief' }, { issuer: 'https://evil.example' }]) {
      const thief = oidc('scim-b-subject', { ...changes, email: 'scim-b@example.com' });
      assert.equal(await errorOf(thief, CLOSED), 'sign_in_not_allowed', JSON.stringify(changes));
      const other = oidc('scim-a', { ...changes, email: 'scim-a@example.com' });
      assert.equal(await errorOf(other), 'sign_in_not_allowed', JSON.stringify(changes));
    }
  });

  for (const method of ['LOCAL', 'LDAP'] as const) {
    test(`links no account of the method ${method}`, async () => {
      const email = `f-${method}@example.com`.toLowerCase();
      await premade(email, method);

      assert.equal(await errorOf(oidc(`f-${method}`, { email }), CLOSED), 'sign_in_not_allowed');
    });
  }

  test('lets no other provider take over an account by its email', async () => {
    await linked(oidc('g'));
    for (const changes of [
      { issuer: 'https://evil.example' },
      { issuer: 'https://evil.example', clientId: 'evil' },
      { subject: 'other' },
      { subject: 'other', clientId: 'evil' },
    ]) {
      const identity = oidc('g', { ...changes, email: 'g@example.com' });

      assert.equal(await errorOf(identity, CLOSED), 'sign_in_not_allowed', JSON.stringify(changes));
      assert.equal(await errorOf(identity, OPEN), 'email_in_use', JSON.stringify(changes));
    }
  });

  test('separates equal subjects of two issuers', async () => {
    const here = await linked(oidc('h'));
    const there = await linked(oidc('h', { issuer: 'https://other.example', email: 'h2@example.com' }));

    assert.notEqual(here.user.rowId, there.user.rowId);
    assert.equal((await linked(oidc('h'))).user.rowId, here.user.rowId);
  });

  test('knows a subject of an issuer again after the client was registered again', async () => {
    const { user } = await linked(oidc('i'));
    const again = await linked(oidc('i', { clientId: 'new-client' }), CLOSED);

    assert.deepEqual([again.user.rowId, again.user.oauth2ClientId], [user.rowId, 'new-client']);
  });

  test('fills in the issuer of an account that was made with client and subject', async () => {
    const rowId = await premade('j@example.com', 'OAUTH2', { oauth2ClientId: 'spandrel', oauth2UserId: 'j' });

    const result = await linked(oidc('j'));

    assert.deepEqual(
      [result.change, result.user.rowId, result.user.oidcIssuer],
      ['linked', rowId, 'https://idp.example'],
    );
    const evil = oidc('j', { issuer: 'https://evil.example', email: 'j-evil@example.com' });
    assert.notEqual((await linked(evil)).user.rowId, rowId);
  });

  test('rejects an account for another client, an unknown user without sign-up and one that is switched off', async () => {
    await premade('k@example.com', 'OAUTH2', { oauth2ClientId: 'other' });
    assert.equal(await errorOf(oidc('k'), CLOSED), 'sign_in_not_allowed');
    assert.equal(await errorOf(oidc('unknown'), CLOSED), 'sign_in_not_allowed');

    const { user } = await linked(oidc('off'));
    await db.updateTable('users').set({ is_active: false }).where('id', '=', user.rowId).execute();
    assert.equal(await errorOf(oidc('off')), 'sign_in_not_allowed');
  });

  test('does not take an email that another account has', async () => {
    await linked(oidc('l1'));
    await linked(oidc('l2'));

    assert.equal(await errorOf(oidc('l2', { email: 'l1@example.com' })), 'email_in_use');
  });

  test('adds a suffix to a name that is taken', async () => {
    const displayName = 'Taken';
    const names: string[] = [];
    for (const identity of [oidc('m1', { displayName }), oidc('m2', { displayName }), ldap('m3', { displayName })]) {
      names.push((await linked(identity)).user.username);
    }

    assert.equal(names[0], 'Taken');
    assert.match(names[1] ?? '', /^Taken-\d{5}$/);
    assert.match(names[2] ?? '', /^Taken \([0-9a-f]{6}\)$/);
    assert.equal((await linked(oidc('m4', { displayName: undefined }))).user.username, 'm4');
  });

  test('makes one account of many sign-ins at a time', async () => {
    const results = await Promise.all(Array.from({ length: 8 }, () => linked(oidc('n'))));

    assert.equal(new Set(results.map(({ user }) => user.rowId)).size, 1);
    assert.equal(results.filter(({ change }) => change === 'created').length, 1);
  });

  test('works in a transaction, also when a name is taken', async () => {
    await linked(oidc('o1', { displayName: 'Same' }));
    const result = await db
      .transaction()
      .execute((tx) =>
        findOrCreateUser(
          { userDirectory: userDirectory(tx), linkedIdentities: linkedIdentityRepository(tx) },
          oidc('o2', { displayName: 'Same' }),
          OPEN,
        ),
      );

    assert.ok(!('error' in result));
    assert.match(result.user.username, /^Same-/);
  });

  describe('of the directory', () => {
    test('follows email, groups and role by the unique id, without case', async () => {
      const { user } = await linked(ldap('Aa'));
      const updated = await linked(ldap('aA', { email: 'aa2@example.com', role: 'ADMIN', groups: ['cn=x'] }));

      assert.equal(updated.user.rowId, user.rowId);
      assert.deepEqual(
        [updated.user.email, updated.user.role, updated.user.groups],
        ['aa2@example.com', 'ADMIN', ['cn=x']],
      );
    });

    test('fills in the unique id of an account with the email, and accepts no other', async () => {
      const rowId = await premade('p@example.com', 'LDAP');

      assert.deepEqual((await linked(ldap('p'), CLOSED)).user.rowId, rowId);
      assert.equal(await errorOf(ldap('p-other', { email: 'p@example.com' })), 'sign_in_not_allowed');
    });

    test('knows users by email without unique ids', async () => {
      const first = await linked(ldap('q', { uniqueId: undefined }));

      assert.deepEqual((await linked(ldap('q', { uniqueId: undefined }))).change, 'none');
      assert.equal(first.user.ldapUniqueId, null);
    });

    test('knows users without an email by their unique id', async () => {
      const first = await linked(ldap('r', { email: null }));
      const second = await linked(ldap('r', { email: null }));

      assert.deepEqual([second.user.rowId, second.user.email], [first.user.rowId, null]);
    });

    for (const method of ['LOCAL', 'OAUTH2'] as const) {
      test(`takes over no account of the method ${method}`, async () => {
        const email = `s-${method}@example.com`.toLowerCase();
        await premade(email, method);

        assert.equal(await errorOf(ldap(`s-${method}`, { email })), 'email_in_use');
      });
    }

    test('creates no account without sign-up', async () => {
      assert.equal(await errorOf(ldap('t'), CLOSED), 'sign_in_not_allowed');
    });
  });
});
