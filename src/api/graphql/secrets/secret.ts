import { SpandrelError } from '../../../model/errors.ts';
import type { Secret } from '../../../model/secrets/secret.ts';
import { keyIdOf } from '../../../domain/secrets/secret-box.ts';
import { openSecret } from '../../../domain/secrets/secret-value.ts';
import type { GraphqlContext } from '../context.ts';
import { whenKnown } from '../execution/batch-loader.ts';
import { type Resolver, type Resolvers, userRef } from '../resolvers.ts';

/** A secret, given only by its key. Other nodes have row ids. */
export interface SecretRef {
  readonly type: 'Secret';
  readonly key: string;
}

export const secretRef = (key: string): SecretRef => ({ type: 'Secret', key });

export const toSecretId = (key: string): string => Buffer.from(`Secret:${key}`).toString('base64');

/** Undefined for an ID of another type. */
export function parseSecretId(globalId: string): SecretRef | undefined {
  const match = /^Secret:([A-Za-z_]\w*)$/.exec(Buffer.from(globalId, 'base64').toString());
  return match?.[1] === undefined ? undefined : secretRef(match[1]);
}

const row =
  (compute: (secret: Secret, context: GraphqlContext) => unknown): Resolver<SecretRef> =>
  ({ key }, _args, context) =>
    whenKnown(context.loaders.secrets.load(key), (secret) => compute(secret ?? missing(key), context));

export const secretResolvers: Resolvers = {
  id: ({ key }: SecretRef) => toSecretId(key),
  key: row(({ key }) => key),
  value: row((secret, { domain }) => {
    const value = openSecret(domain.secretBox, secret);
    return value === undefined
      ? { __typename: 'UnparsableSecret', parseError: 'Value cannot be decrypted' }
      : { __typename: 'DecryptedSecret', value: domain.secretBox.redact(value) };
  }),
  hosts: row(({ hosts }) => hosts),
  keyId: row(({ sealedValue }) => keyIdOf(sealedValue) ?? null),
  hasCurrentKey: row(({ sealedValue }, { domain }) => domain.secretBox.isCurrent(sealedValue)),
  updatedAt: row(({ updatedAt }) => updatedAt),
  user: row(({ userRowId }) => (userRowId === null ? null : userRef(userRowId))),
};

function missing(key: string): never {
  throw new SpandrelError('SECRET_NOT_FOUND', `Secret with ID ${toSecretId(key)} not found`);
}
