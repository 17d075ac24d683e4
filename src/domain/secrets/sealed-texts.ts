import { RESEAL_BATCH_COUNT } from '../../model/limits/secrets.ts';
import type { Ports } from '../ports.ts';
import { PROVIDER_LOCATION } from '../providers/provider-config.ts';
import { locationOfSecret } from './secret-value.ts';

/** An encrypted text in the database, and how it is replaced. */
export interface SealedText {
  /** Name for users, such as `secret OPENAI_API_KEY`. */
  readonly name: string;
  readonly location: string;
  readonly sealed: Buffer;
  /** False when the text has changed since it was read. */
  replace(sealed: Buffer): Promise<boolean>;
}

type Parts = Pick<Ports, 'secrets' | 'providers'>;

/** Everything that is encrypted in the database, in batches. */
export async function* listSealedTexts(ports: Parts): AsyncGenerator<SealedText[]> {
  yield* listSecretTexts(ports);
  yield* listProviderTexts(ports);
}

async function* listSecretTexts({ secrets }: Pick<Ports, 'secrets'>): AsyncGenerator<SealedText[]> {
  let after: string | undefined;
  for (let hasMore = true; hasMore; ) {
    const page = await secrets.list({ limit: RESEAL_BATCH_COUNT, after });
    yield page.items.map(({ key, sealedValue }) => ({
      name: `secret ${key}`,
      location: locationOfSecret(key),
      sealed: sealedValue,
      replace: (to) => secrets.reseal(key, { from: sealedValue, to }),
    }));
    after = page.items.at(-1)?.key;
    hasMore = page.hasMore;
  }
}

async function* listProviderTexts({ providers }: Pick<Ports, 'providers'>): AsyncGenerator<SealedText[]> {
  let beforeRowId: number | undefined;
  for (let hasMore = true; hasMore; ) {
    const page = await providers.list({
      limit: RESEAL_BATCH_COUNT,
      ...(beforeRowId !== undefined && { beforeRowId }),
    });
    yield page.items.map(({ rowId, name, sealedConfig }) => ({
      name: `custom provider ${name}`,
      location: PROVIDER_LOCATION,
      sealed: sealedConfig,
      replace: (to) => providers.reseal(rowId, { from: sealedConfig, to }),
    }));
    beforeRowId = page.items.at(-1)?.rowId;
    hasMore = page.nextRowId !== undefined;
  }
}
