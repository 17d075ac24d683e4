import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, describe, test } from 'node:test';
import { silentLog } from '../../../src/base/log.ts';
import type { OidcProviderConfig } from '../../../src/config/identity/oidc-providers.ts';
import { OIDC_RESPONSE_BYTES_MAX } from '../../../src/model/limits/identity-providers.ts';
import { type IdentityProvider, isFailure, type SignInCallback } from '../../../src/identity/oidc/identity-provider.ts';
import { openIdentityProviders } from '../../../src/identity/oidc/open-identity-provider.ts';
import {
  CLIENT_SECRET,
  claimsOf,
  configOf,
  type OidcServer,
  type OidcServerOptions,
  publicJwk,
  REDIRECT_URI,
  signInAt,
  signRs256,
  startOidcServer,
  writeJwt,
} from './oidc-server.ts';

const ada = {
  email: ' Ada@Example.com ',
  email_verified: true,
  name: 'Ada L',
  picture: 'https://example.com/ada.png',
  groups: ['dev', 'ops'],
  roles: ['owner', 'x'],
};

function open(config: OidcProviderConfig): IdentityProvider {
  const provider = openIdentityProviders([config], { log: silentLog }).get(config.name);
  assert.ok(provider);
  return provider;
}

/** Signs in and returns the identity, or the code of the failure. */
async function signIn(config: OidcProviderConfig, account = 'ada') {
  const provider = open(config);
  return provider.finish(await signInAt(provider, account));
}

const codeOf = (result: object): string | undefined => (isFailure(result) ? result.error : undefined);

describe('a sign-in at a real OpenID Connect provider', () => {
  let server: OidcServer;
  const others: OidcServer[] = [];
  const startOther = async (options?: OidcServerOptions) => {
    const other = await startOidcServer(options);
    other.accounts.set('ada', ada);
    others.push(other);
    return other;
  };
  before(async () => {
    server = await startOidcServer();
    server.accounts.set('ada', ada);
  });
  afterEach(() => {
    server.tamper = undefined;
    server.calls.length = 0;
  });
  after(async () => {
    await Promise.all([server, ...others].map((each) => each.stop()));
  });

  for (const usesPkce of [true, false]) {
    test(`gives the verified identity ${usesPkce ? 'with' : 'without'} PKCE`, async () => {
      assert.deepEqual(await signIn(configOf(server, { usesPkce })), {
        kind: 'oidc',
        provider: 'idp',
        issuer: server.issuer,
        clientId: 'spandrel',
        subject: 'ada',
        email: 'ada@example.com',
        isEmailUnverified: false,
        displayName: 'Ada L',
        pictureUrl: 'https://example.com/ada.png',
        groups: [],
        role: undefined,
      });
      assert.ok(!server.calls.includes('/me'), 'the ID token has everything');
    });
  }

  test('asks for the scopes, with a challenge, a nonce and the given state', async () => {
    const started = await open(configOf(server, { extraScopes: ['groups'] })).start({
      redirectUri: REDIRECT_URI,
      state: 'mine',
    });

    assert.ok(!isFailure(started));
    const query = new URL(started.url).searchParams;
    assert.equal(query.get('scope'), 'openid email profile groups');
    assert.equal(query.get('code_challenge_method'), 'S256');
    assert.equal(query.get('state'), 'mine');
    assert.equal(query.get('nonce'), started.nonce);
    assert.equal(query.get('redirect_uri'), REDIRECT_URI);
    assert.ok(!started.url.includes(String(started.codeVerifier)));
  });

  test('selects email, groups and role by expressions', async () => {
    server.accounts.set('bob', {
      realm_access: { mail: 'bob@example.com', roles: ['viewer', 'owner'] },
      groups: ['a'],
    });
    const identity = await signIn(
      configOf(server, {
        emailPath: 'realm_access.mail',
        groupsPath: "realm_access.roles[?@ != 'viewer']",
        allowedGroups: ['other', 'owner'],
        rolePath: "contains(realm_access.roles, 'owner') && 'boss' || 'none'",
        roleMapping: new Map([['boss', 'ADMIN']]),
      }),
      'bob',
    );

    assert.ok(!isFailure(identity));
    assert.deepEqual([identity.email, identity.groups, identity.role], ['bob@example.com', ['owner'], 'ADMIN']);
  });

  const roles: readonly (readonly [title: string, changes: Partial<OidcProviderConfig>, expected: string])[] = [
    ['maps the first role of a list', { roleMapping: new Map([['owner', 'MEMBER']]) }, 'MEMBER'],
    ['compares mapped values with their case', { roleMapping: new Map([['OWNER', 'ADMIN']]) }, 'VIEWER'],
    ['takes the name of a role without a mapping', { rolePath: "'admin'" }, 'ADMIN'],
    ['takes no system role', { rolePath: "'SYSTEM'" }, 'VIEWER'],
    ['makes a viewer of a user without a role', { rolePath: 'nothing' }, 'VIEWER'],
    ['rejects a user without a valid role if strict', { isRoleRequired: true }, 'sign_in_not_allowed'],
    ['makes a viewer of a user when the expression fails', { rolePath: 'join(`1`, roles)' }, 'VIEWER'],
  ];
  for (const [title, changes, expected] of roles) {
    test(title, async () => {
      const result = await signIn(configOf(server, { rolePath: 'roles', ...changes }));

      assert.equal(isFailure(result) ? result.error : result.role, expected);
    });
  }

  test('needs one of the allowed groups', async () => {
    const changes = { groupsPath: 'groups', allowedGroups: ['Dev'] };

    assert.equal(codeOf(await signIn(configOf(server, changes))), 'sign_in_not_allowed');
    const allowed = await signIn(configOf(server, { ...changes, allowedGroups: ['dev'] }));
    assert.deepEqual(isFailure(allowed) ? allowed : allowed.groups, ['dev', 'ops']);
  });

  test('needs an email address', async () => {
    server.accounts.set('eve', { email: 'a@b.example,c@d.example' });

    assert.equal(codeOf(await signIn(configOf(server), 'eve')), 'missing_email_scope');
    assert.equal(codeOf(await signIn(configOf(server), 'no-claims')), 'missing_email_scope');
  });

  for (const [claim, expected] of [
    [false, true],
    ['false', true],
    [true, false],
    [undefined, false],
    [null, false],
  ] as const) {
    test(`reads email_verified ${JSON.stringify(claim)} as ${expected ? 'unverified' : 'not unverified'}`, async () => {
      server.accounts.set('v', { email: 'v@example.com', email_verified: claim });
      const identity = await signIn(configOf(server), 'v');

      assert.equal(!isFailure(identity) && identity.isEmailUnverified, expected);
    });
  }

  test('calls the userinfo endpoint only for what the ID token lacks', async () => {
    const other = await startOther({ hidesClaims: true });
    const identity = await signIn(configOf(other, { groupsPath: 'groups', allowedGroups: ['ops'] }));

    assert.ok(!isFailure(identity));
    assert.deepEqual([identity.email, identity.groups], ['ada@example.com', ['dev', 'ops']]);
    assert.equal(other.calls.filter((path) => path === '/me').length, 1);
  });

  test('prefers the ID token to the userinfo', async () => {
    server.tamper = (path, body) => (path === '/me' ? { ...body, email: 'evil@example.com', teams: ['t'] } : body);
    const identity = await signIn(configOf(server, { groupsPath: 'teams', allowedGroups: ['t'] }));

    assert.ok(!isFailure(identity));
    assert.deepEqual([identity.email, identity.groups], ['ada@example.com', ['t']]);
  });

  for (const [title, body] of [
    ['another subject', { sub: 'eve', email: 'eve@example.com' }],
    ['a huge body', { sub: 'ada', email: 'x'.repeat(OIDC_RESPONSE_BYTES_MAX) }],
    ['a bomb of levels', { sub: 'ada', teams: JSON.parse('['.repeat(5000) + ']'.repeat(5000)) }],
  ] as const) {
    test(`fails when the userinfo has ${title}`, async () => {
      server.tamper = (path, original) => (path === '/me' ? body : original);

      const result = await signIn(configOf(server, { rolePath: 'missing' }));

      assert.equal(codeOf(result), 'auth_failed');
    });
  }

  test('stops an expression that would run for minutes', async () => {
    const many = Array.from({ length: 4000 }, () => 'x');
    server.accounts.set('many', { email: 'm@example.com', groups: many });
    const bomb = `groups${'|[@,@][]'.repeat(60)}|length(@)`;
    const identity = await signIn(configOf(server, { rolePath: bomb }), 'many');

    assert.equal(!isFailure(identity) && identity.role, 'VIEWER');
  });

  describe('rejects', () => {
    const finishWith = async (change: (callback: SignInCallback) => Partial<SignInCallback>) => {
      const provider = open(configOf(server));
      const callback = await signInAt(provider, 'ada');
      return codeOf(await provider.finish({ ...callback, ...change(callback) }));
    };
    const withParameters = (callback: SignInCallback, changes: Record<string, string>) =>
      new URLSearchParams({ ...Object.fromEntries(callback.parameters), ...changes });

    const attacks: readonly (readonly [
      title: string,
      change: (callback: SignInCallback) => Partial<SignInCallback>,
      code: string,
    ])[] = [
      ['another state', () => ({ state: 'other' }), 'invalid_state'],
      [
        'an empty state',
        (callback) => ({ state: '', parameters: withParameters(callback, { state: '' }) }),
        'invalid_state',
      ],
      ['an empty nonce', () => ({ nonce: '' }), 'invalid_state'],
      [
        'two states',
        (callback) => ({ parameters: new URLSearchParams(`${callback.parameters}&state=${callback.state}`) }),
        'invalid_state',
      ],
      ['another nonce', () => ({ nonce: 'other' }), 'auth_failed'],
      ['another verifier', () => ({ codeVerifier: 'x'.repeat(43) }), 'auth_failed'],
      ['no verifier', () => ({ codeVerifier: undefined }), 'auth_failed'],
      ['another code', (callback) => ({ parameters: withParameters(callback, { code: 'guess' }) }), 'auth_failed'],
      [
        'the issuer of another provider',
        (callback) => ({ parameters: withParameters(callback, { iss: 'https://evil.example' }) }),
        'auth_failed',
      ],
      [
        'no issuer from a provider that promises it',
        (callback) => {
          const parameters = new URLSearchParams(callback.parameters);
          parameters.delete('iss');
          return { parameters };
        },
        'auth_failed',
      ],
      [
        'an error of the provider',
        (callback) => ({ parameters: withParameters(callback, { error: 'access_denied' }) }),
        'oauth_error',
      ],
      ['another redirect', () => ({ redirectUri: 'http://127.0.0.1:6006/other' }), 'auth_failed'],
    ];
    for (const [title, change, code] of attacks) {
      test(title, async () => assert.equal(await finishWith(change), code));
    }

    test('a code that was used', async () => {
      const provider = open(configOf(server));
      const callback = await signInAt(provider, 'ada');

      assert.equal(codeOf(await provider.finish(callback)), undefined);
      assert.equal(codeOf(await provider.finish(callback)), 'auth_failed');
    });

    test('a wrong client secret, and does not show it', async () => {
      const result = await signIn(configOf(server, { clientSecret: `${CLIENT_SECRET}x` }));

      assert.equal(codeOf(result), 'auth_failed');
      assert.ok(!JSON.stringify(result).includes(CLIENT_SECRET));
    });

    /** Signs the ID token again with changed claims, as a broken or hostile provider or a man in the middle would. */
    const forge = (rewrite: (jwt: string) => unknown) => {
      server.tamper = (path, body) =>
        path === '/token' ? { ...body, id_token: rewrite(String(body.id_token)) } : body;
    };
    const resign = (changes: Record<string, unknown>) =>
      forge((jwt) =>
        writeJwt(
          { alg: 'RS256', kid: server.key.kid },
          { ...claimsOf(jwt), ...changes },
          signRs256(server.key.privateKey),
        ),
      );
    const now = () => Math.floor(Date.now() / 1000);

    test('nothing when the ID token is signed again without changes', async () => {
      resign({});

      assert.equal(codeOf(await signIn(configOf(server))), undefined);
    });

    const tokens: readonly (readonly [title: string, arrange: () => void])[] = [
      ['an ID token that has expired', () => resign({ exp: now() - 120 })],
      ['an ID token from the future', () => resign({ nbf: now() + 120 })],
      ['an ID token of another issuer', () => resign({ iss: 'https://evil.example' })],
      ['an ID token for another client', () => resign({ aud: 'other' })],
      ['an ID token for several clients without ours as the party', () => resign({ aud: ['spandrel', 'x'], azp: 'x' })],
      ['an ID token without a subject', () => resign({ sub: undefined })],
      ['an ID token whose subject is too long', () => resign({ sub: 'x'.repeat(2000) })],
      ['an ID token without a nonce', () => resign({ nonce: undefined })],
      [
        'an ID token that says alg none',
        () => forge((jwt) => writeJwt({ alg: 'none' }, claimsOf(jwt), () => Buffer.alloc(0))),
      ],
      [
        'an ID token that is signed with the public key as a shared secret',
        () =>
          forge((jwt) =>
            writeJwt({ alg: 'HS256', kid: server.key.kid }, claimsOf(jwt), (text) =>
              createHmac('sha256', server.key.publicKey.export({ type: 'spki', format: 'pem' }))
                .update(text)
                .digest(),
            ),
          ),
      ],
      [
        'an ID token that is signed with the client secret',
        () =>
          forge((jwt) =>
            writeJwt({ alg: 'HS256' }, claimsOf(jwt), (text) =>
              createHmac('sha256', CLIENT_SECRET).update(text).digest(),
            ),
          ),
      ],
      [
        'an ID token with changed claims and the former signature',
        () =>
          forge((jwt) => {
            const [header, , signature] = jwt.split('.');
            const claims = Buffer.from(JSON.stringify({ ...claimsOf(jwt), email: 'evil@example.com' }));
            return `${header}.${claims.toString('base64url')}.${signature}`;
          }),
      ],
      ['an ID token that is none', () => forge(() => 'x.y.z')],
    ];
    for (const [title, arrange] of tokens) {
      test(title, async () => {
        arrange();

        assert.equal(codeOf(await signIn(configOf(server))), 'auth_failed');
      });
    }

    test('a response without an ID token', async () => {
      server.tamper = (path, body) => (path === '/token' ? { ...body, id_token: undefined } : body);

      assert.equal(codeOf(await signIn(configOf(server))), 'no_oidc_support');
    });
  });

  test('allows for clocks that differ by half a minute', async () => {
    const now = Math.floor(Date.now() / 1000);
    server.tamper = (path, body) =>
      path === '/token'
        ? {
            ...body,
            id_token: writeJwt(
              { alg: 'RS256', kid: server.key.kid },
              { ...claimsOf(body.id_token), iat: now + 30, nbf: now + 30, exp: now - 30 },
              signRs256(server.key.privateKey),
            ),
          }
        : body;

    assert.equal(codeOf(await signIn(configOf(server))), undefined);
  });

  test('finds keys that the provider rotated a moment ago, and no former ones', async () => {
    const other = await startOther();
    const provider = open(configOf(other));
    assert.equal(codeOf(await provider.finish(await signInAt(provider, 'ada'))), undefined);
    const former = other.key;

    other.rotateKeys();
    assert.equal(codeOf(await provider.finish(await signInAt(provider, 'ada'))), undefined);
    other.tamper = (path, body) =>
      path === '/token'
        ? {
            ...body,
            id_token: writeJwt(
              { alg: 'RS256', kid: former.kid, jwk: publicJwk(former) },
              claimsOf(body.id_token),
              signRs256(former.privateKey),
            ),
          }
        : body;
    assert.equal(codeOf(await provider.finish(await signInAt(provider, 'ada'))), 'auth_failed');
  });

  test('works when the provider comes back', async () => {
    const other = await startOther();
    const [, port] = /:(\d+)$/.exec(other.issuer) ?? [];
    await other.stop();
    const provider = open(configOf(other));

    const away = await provider.start({ redirectUri: REDIRECT_URI });
    assert.equal(codeOf(away), 'auth_failed');

    const document = { ...((await (await fetch(server.configUrl)).json()) as object), issuer: other.issuer };
    const back = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document));
    });
    await new Promise<void>((resolve) => back.listen(Number(port), '127.0.0.1', resolve));
    assert.equal(codeOf(await provider.start({ redirectUri: REDIRECT_URI })), undefined);
    back.close();
  });

  test('fails in words when the provider is away at the callback', async () => {
    const other = await startOther();
    const provider = open(configOf(other));
    const callback = await signInAt(provider, 'ada');
    await other.stop();

    const result = await provider.finish(callback);

    assert.ok(isFailure(result));
    assert.equal(result.error, 'auth_failed');
    assert.ok(result.reason.length > 0);
  });

  test('ends a call to a provider that does not answer, at the start and in the middle of a body', async () => {
    const hanging = createServer((request, response) => {
      if (request.url === '/slow') response.writeHead(200, { 'content-type': 'application/json' }).write('{');
    });
    await new Promise<void>((resolve) => hanging.listen(0, '127.0.0.1', resolve));
    const origin = `http://127.0.0.1:${(hanging.address() as AddressInfo).port}`;
    for (const path of ['/.well-known/openid-configuration', '/slow?/.well-known/x']) {
      const config = configOf({ configUrl: `${origin}${path}` });
      const provider = openIdentityProviders([config], { log: silentLog, requestMsMax: 200 }).get('idp');

      assert.equal(codeOf((await provider?.start({ redirectUri: REDIRECT_URI })) ?? {}), 'auth_failed');
    }
    hanging.close();
    hanging.closeAllConnections();
  });

  describe('with a client assertion', () => {
    let dir: string;
    let assertionServer: OidcServer;
    before(async () => {
      dir = mkdtempSync(join(tmpdir(), 'spandrel-assertion-'));
      assertionServer = await startOther({ client: { token_endpoint_auth_method: 'client_secret_jwt' } });
    });
    after(() => rmSync(dir, { recursive: true }));
    const methodOf = (file: string) =>
      configOf(assertionServer, {
        clientSecret: undefined,
        clientAuthMethod: 'client_assertion_jwt',
        clientAssertionFile: join(dir, file),
      });
    /** An assertion that the provider accepts once, as a platform would write it. */
    const writeAssertion = (file: string) => {
      const now = Math.floor(Date.now() / 1000);
      const claims = {
        iss: 'spandrel',
        sub: 'spandrel',
        aud: assertionServer.issuer,
        jti: String(Math.random()),
        iat: now,
        exp: now + 60,
      };
      const jwt = writeJwt({ alg: 'HS256' }, claims, (text) =>
        createHmac('sha256', CLIENT_SECRET).update(text).digest(),
      );
      writeFileSync(join(dir, file), `${jwt}\n`);
    };

    test('reads its file again for each exchange', async () => {
      const provider = open(methodOf('jwt'));
      for (let round = 0; round < 2; round++) {
        writeAssertion('jwt');
        assert.equal(codeOf(await provider.finish(await signInAt(provider, 'ada'))), undefined);
      }
      assert.equal(codeOf(await provider.finish(await signInAt(provider, 'ada'))), 'auth_failed', 'used twice');
    });

    for (const [title, arrange] of [
      ['is missing', () => {}],
      ['is too large', (path: string) => writeFileSync(path, 'x'.repeat(65_537))],
      ['contains no JWT', (path: string) => writeFileSync(path, 'a b')],
    ] as const) {
      test(`fails without its path when the file ${title}`, async () => {
        arrange(join(dir, 'bad'));

        const result = await signIn(methodOf('bad'));

        assert.equal(codeOf(result), 'auth_failed');
        assert.ok(!JSON.stringify(result).includes(dir));
        rmSync(join(dir, 'bad'), { force: true });
      });
    }

    test('fails when the file is none', async () => {
      assert.equal(codeOf(await signIn(methodOf('.'))), 'auth_failed');
    });
  });

  for (const method of ['client_secret_basic', 'client_secret_post', 'none'] as const) {
    test(`authenticates itself by ${method}`, async () => {
      const other = await startOther({ client: { token_endpoint_auth_method: method } });

      const result = await signIn(configOf(other, { clientAuthMethod: method }));

      assert.equal(codeOf(result), undefined);
    });
  }

  test('leaves -._* of a client ID and secret as they are in Basic, and encodes all others', async () => {
    const [client_id, client_secret] = ['my-client_1.0*', "a-b_c.d*e+f/g h:i%j~k'"];
    const other = await startOther({ client: { client_id, client_secret } });

    const result = await signIn(configOf(other, { clientId: client_id, clientSecret: client_secret }));

    assert.equal(codeOf(result), undefined);
    const [, basic = ''] = (other.authorizations[0] ?? '').split(' ');
    assert.equal(Buffer.from(basic, 'base64').toString(), 'my-client_1.0*:a-b_c.d*e%2Bf%2Fg+h%3Ai%25j%7Ek%27');
  });

  describe('with a provider that signs ID tokens with a secret', () => {
    const signInWith = (algorithms: readonly string[], secret: string, header: object = { alg: 'HS256' }) => {
      server.tamper = (path, body) => {
        if (path !== '/token') return { ...body, id_token_signing_alg_values_supported: algorithms };
        const sign = (text: string) => createHmac('sha256', secret).update(text).digest();
        return { ...body, id_token: writeJwt(header, claimsOf(body.id_token), sign) };
      };
      return signIn(configOf(server));
    };

    test('accepts HS256 when the metadata name it alone', async () => {
      const result = await signInWith(['HS256'], CLIENT_SECRET);

      assert.equal(codeOf(result), undefined);
      assert.equal((result as { subject: string }).subject, 'ada');
    });

    for (const [title, attempt] of [
      ['another secret', () => signInWith(['HS256'], 'another secret')],
      ['an empty secret', () => signInWith(['HS256'], '')],
      ['metadata that name another algorithm too', () => signInWith(['RS256', 'HS256'], CLIENT_SECRET)],
      ['metadata that name no algorithm', () => signInWith([], CLIENT_SECRET)],
      ['a token without an algorithm', () => signInWith(['HS256'], CLIENT_SECRET, { alg: 'none' })],
      ['a token that names another algorithm', () => signInWith(['HS256'], CLIENT_SECRET, { alg: 'RS256' })],
    ] as const) {
      test(`rejects ${title}`, async () => assert.equal(codeOf(await attempt()), 'auth_failed'));
    }
  });

  describe('does not begin when the metadata', () => {
    const startWith = async (document: object, others: readonly OidcProviderConfig[] = []) => {
      const http = createServer((_request, response) => {
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document));
      });
      await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
      const configUrl = `http://127.0.0.1:${(http.address() as AddressInfo).port}/.well-known/openid-configuration`;
      const config = configOf({ configUrl }, { name: 'evil' });
      const provider = openIdentityProviders([...others, config], { log: silentLog }).get('evil');
      const result = await provider?.start({ redirectUri: REDIRECT_URI });
      http.close();
      http.closeAllConnections();
      return result;
    };
    let document: Record<string, unknown>;
    before(async () => {
      document = (await (await fetch(server.configUrl)).json()) as Record<string, unknown>;
    });

    test('names a page without TLS', async () => {
      assert.match(
        JSON.stringify(await startWith({ ...document, authorization_endpoint: 'http://evil.example' })),
        /no TLS/,
      );
    });

    test('names a script as the page', async () => {
      const result = await startWith({ ...document, authorization_endpoint: 'javascript:alert(1)' });

      assert.match(JSON.stringify(result), /no TLS/);
    });

    test('claims the issuer of another provider', async () => {
      const result = await startWith(document, [configOf(server)]);

      assert.match(JSON.stringify(result), /issuer of another provider/);
    });

    test('is too large', async () => {
      const result = await startWith({ ...document, padding: 'x'.repeat(OIDC_RESPONSE_BYTES_MAX) });

      assert.equal(codeOf(result ?? {}), 'auth_failed');
    });
  });
});
