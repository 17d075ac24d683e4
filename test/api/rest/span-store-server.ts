import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { silentLog } from '../../../src/base/log.ts';
import { SpanColumnsBuilder } from '../../../src/columns/span-columns-builder.ts';
import { decodeRestSpans } from '../../../src/otlp/decode-rest-spans.ts';
import type { SpanStore } from '../../../src/span-store/contract/span-store.ts';
import { openSpanStore } from '../../../src/span-store/open-span-store.ts';
import type { Ports } from '../../../src/domain/ports.ts';
import { type FakeDomain, openFakeDomain } from '../../domain/fake-domain.ts';
import { openRestServerOn, type RestServer } from './rest-server.ts';

/** The span store that the server uses, without a journal before it: what is submitted is stored when it returns. */
export async function openRestServerOnSpanStore(
  t: Pick<TestContext, 'after'>,
): Promise<RestServer<Ports> & { readonly dir: string }> {
  const dir = await mkdtemp(join(tmpdir(), 'spandrel-rest-'));
  const fake = openFakeDomain();
  const resolveProjects = (names: readonly string[]) => resolve(fake, names);
  const store = await openSpanStore({ dir, resolveProjects, removeProject: fake.removeProject, log: silentLog });
  t.after(async () => {
    await store.close();
    await rm(dir, { recursive: true, force: true });
  });
  return { ...(await openRestServerOn(t, { ...fake, spans: store, writes: writesTo(store) })), dir };
}

async function resolve({ projects }: FakeDomain, names: readonly string[]): Promise<Map<string, number>> {
  const ids = new Map<string, number>();
  for (const name of names) {
    const project = (await projects.find({ name })) ?? (await projects.create({ name, description: null }));
    ids.set(name, project.rowId);
  }
  return ids;
}

function writesTo(store: SpanStore): Ports['writes'] {
  let position = 0;
  return {
    async submitSpans(json) {
      const builder = new SpanColumnsBuilder();
      decodeRestSpans(json, builder);
      await store.append(builder.finish(), ++position);
      return { position };
    },
    async submitAnnotations(batch) {
      const record = { ...batch, position: ++position, receivedAtMs: Date.now() };
      await store.append(new SpanColumnsBuilder().finish(), position, [record]);
      return { position };
    },
    async submitTransfer(transfer) {
      await store.transfer(transfer, ++position);
      return { position };
    },
    async submitDeletion(deletion) {
      await store.delete(deletion, ++position);
      return { position };
    },
    async applied() {},
  };
}

export interface Page {
  readonly data: Record<string, unknown>[];
  readonly next_cursor: string | null;
}

/** The rows of every page of a list. */
export async function walk(rest: RestServer<Ports>, path: string): Promise<Record<string, unknown>[]> {
  const rows: Record<string, unknown>[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const page = (await rest.call('GET', `${path}&cursor=${encodeURIComponent(cursor)}`)).json as Page;
    rows.push(...page.data);
    cursor = page.next_cursor;
  }
  return rows;
}
