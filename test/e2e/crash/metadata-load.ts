import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import type { SeededRandom } from '../../fixtures/seeded-random.ts';
import { listAll } from '../rest.ts';
import type { Load } from './load.ts';

/** Objects that the rounds create in Postgres, with the paths to create, list and delete them. */
const KINDS = {
  project: {
    path: '/v1/projects',
    make: '/v1/projects',
    body: (name: string) => ({ name }),
    idOf: ({ id }: Row) => id,
  },
  dataset: {
    path: '/v1/datasets',
    make: '/v1/datasets/upload?sync=true',
    body: (name: string) => ({ name, inputs: [{ n: 1 }] }),
    idOf: ({ dataset_id, id }: Row) => dataset_id ?? id,
  },
  config: {
    path: '/v1/annotation_configs',
    make: '/v1/annotation_configs',
    body: (name: string) => ({ name, type: 'FREEFORM' }),
    idOf: ({ id }: Row) => id,
  },
} as const;
type Kind = keyof typeof KINDS;
const KIND_NAMES = Object.keys(KINDS) as Kind[];

interface Row {
  readonly id: string;
  readonly name?: string;
  readonly dataset_id?: string;
}

interface Made {
  readonly kind: Kind;
  readonly name: string;
  /** Undefined until it is known. */
  id: string | undefined;
  outcome: 'unknown' | 'made' | 'deleted' | 'perhaps deleted';
}

/** Objects that were created in Postgres on one data directory, and every id that was ever seen. */
export class MetadataLedger {
  readonly made: Made[] = [];
  /** Name by global id of existing and deleted objects. */
  readonly #nameOfId = new Map<string, string>();

  /** @throws AssertionError when the id belonged to another object before */
  see(id: string, name: string): void {
    const before = this.#nameOfId.get(id);
    assert.ok(before === undefined || before === name, `the id ${atob(id)} of '${before}' was given to '${name}'`);
    this.#nameOfId.set(id, name);
  }

  get acknowledgedCount(): number {
    return this.made.filter(({ outcome }) => outcome !== 'unknown').length;
  }

  /** Reads every list. Acknowledged objects exist under their ids, deleted ones do not, and no id names two objects. */
  async verify(serverUrl: string): Promise<void> {
    for (const kind of KIND_NAMES) {
      const listed = new Map<string, string>();
      for await (const row of listAll<Row>(`${serverUrl}${KINDS[kind].path}`)) {
        assert.ok(!listed.has(row.name!), `the ${kind} '${row.name}' is there twice`);
        listed.set(row.name!, row.id);
        this.see(row.id, row.name!);
      }
      for (const one of this.made.filter((made) => made.kind === kind)) {
        const id = listed.get(one.name);
        if (one.outcome === 'made') assert.equal(id, one.id, `the ${kind} '${one.name}' was made, and is lost`);
        if (one.outcome === 'deleted')
          assert.equal(id, undefined, `the ${kind} '${one.name}' was deleted, and is back`);
        if (one.outcome === 'unknown' && id !== undefined) Object.assign(one, { id, outcome: 'made' });
      }
    }
  }
}

/** Creates and deletes rows of Postgres, one request at a time, until it is stopped. */
export function startMetadataLoad(options: {
  readonly ledger: MetadataLedger;
  readonly random: SeededRandom;
  readonly round: number;
  readonly serverUrl: string;
}): Load {
  const { ledger, random, round, serverUrl } = options;
  let isEnding = false;
  const own: Made[] = [];

  async function make(): Promise<void> {
    const kind = random.pick(KIND_NAMES);
    const one: Made = { kind, name: `${kind} ${round}.${own.length}`, id: undefined, outcome: 'unknown' };
    own.push(one);
    ledger.made.push(one);
    const { make: path, body, idOf } = KINDS[kind];
    const answer = await ask(`${serverUrl}${path}`, { method: 'POST', ...json(body(one.name)) });
    if (answer === undefined) return;
    one.id = idOf((JSON.parse(answer) as { readonly data: Row }).data);
    one.outcome = 'made';
    ledger.see(one.id, one.name);
  }

  async function deleteOne(): Promise<void> {
    const one = own.findLast(({ outcome }) => outcome === 'made');
    if (!one) return;
    one.outcome = 'perhaps deleted';
    const path = `${KINDS[one.kind].path}/${encodeURIComponent(one.id!)}`;
    if ((await ask(`${serverUrl}${path}`, { method: 'DELETE' })) !== undefined) one.outcome = 'deleted';
  }

  const running = (async () => {
    while (!isEnding) {
      await (random.chance(0.25) ? deleteOne() : make());
      await delay(10);
    }
  })();
  running.catch(() => {});
  return {
    async end() {
      isEnding = true;
      await running;
    },
  };
}

const json = (body: object) => ({ headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

/** Text of a successful response. Undefined when the result is unknown, because the connection or Postgres failed. */
async function ask(url: string, init: RequestInit): Promise<string | undefined> {
  const answer = await fetch(url, init).then(
    async (response) => ({ status: response.status, text: await response.text() }),
    () => undefined,
  );
  if (answer === undefined || answer.status === 503) {
    await delay(20);
    return undefined;
  }
  assert.ok(answer.status < 300, `${init.method} ${url} ${init.body} met ${answer.status}: ${answer.text}`);
  return answer.text;
}
