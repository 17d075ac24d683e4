import assert from 'node:assert/strict';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { silentLog } from '../../src/base/log.ts';
import { SPAN_KINDS, STATUS_CODES } from '../../src/semconv/span-kinds.ts';
import {
  ANNOTATION_SOURCES,
  ANNOTATION_TARGETS,
  ANNOTATOR_KINDS,
  type AnnotationTarget,
  type NewAnnotation,
} from '../../src/model/annotations/annotation.ts';
import type { SpanInTrace } from '../../src/model/spans/span.ts';
import type { AnnotationQuery, AnnotationRecord } from '../../src/span-store/contract/annotations.ts';
import type { SpanStore } from '../../src/span-store/contract/span-store.ts';
import type { SpanQuery } from '../../src/span-store/contract/spans.ts';
import type { Deletion, Transfer } from '../../src/span-store/contract/writer.ts';
import { openSpanStore } from '../../src/span-store/open-span-store.ts';
import { verifySpanStore } from '../../src/span-store/verify-span-store.ts';
import { SeededRandom } from '../fixtures/seeded-random.ts';
import { spanColumns, type TestSpan } from '../fixtures/span-columns.ts';
import { SpanStoreModel } from '../fixtures/span-store-model.ts';
import { TEST_FOLDER } from '../fixtures/test-folder.ts';

const FIRST_SEED = Number(process.env.FIRST_SEED ?? 1);
const SEED_COUNT = Number(process.env.SEED_COUNT ?? 2);
const OPERATION_COUNT = 36;
const PROJECTS = ['default', 'one', 'two'];

type Operation = { readonly position: number } & (
  | { readonly batch: readonly TestSpan[]; readonly records: readonly AnnotationRecord[] }
  | { readonly deletion: Deletion }
  | { readonly transfer: Transfer }
);

for (let seed = FIRST_SEED; seed < FIRST_SEED + SEED_COUNT; seed++) {
  test(`the store equals the model after random operations, restarts and crashes (seed ${seed})`, async (t) => {
    const run = await Run.start(t, seed);

    for (let i = 0; i < OPERATION_COUNT; i++) {
      await run.step();
      if (i % 6 === 5) await run.compare();
    }

    await run.compare();
    await run.verify();
  });
}

/** A store and the model, driven by the same operations; the operations are the journal. */
class Run {
  private readonly random: SeededRandom;
  private readonly parent: string;
  private readonly projects = new Map<string, number>();
  /** Positions of deletions, by name. */
  private readonly deletedProjects: { name: string; id: number; position: number }[] = [];
  private projectCount = 0;
  private readonly model = new SpanStoreModel((name) => this.projectIdOf(name));
  private readonly journal: Operation[] = [];
  private dirCount = 0;
  private dir = '';
  private store!: SpanStore;

  private constructor(seed: number, parent: string) {
    this.random = new SeededRandom(seed);
    this.parent = parent;
  }

  static async start(t: TestContext, seed: number): Promise<Run> {
    const run = new Run(seed, await mkdtemp(join(TEST_FOLDER, 'span-store-')));
    t.after(async () => {
      await run.store.close();
      await rm(run.parent, { recursive: true, force: true });
    });
    run.dir = run.newDir();
    await run.open();
    return run;
  }

  async step(): Promise<void> {
    const { random } = this;
    const what = random.next();
    if (what < 0.4) await this.append(this.randomBatch(), random.chance(0.3) ? this.randomRecords() : []);
    else if (what < 0.55) await this.append([], this.randomRecords());
    else if (what < 0.65) await this.appendAgain();
    else if (what < 0.79) await this.delete(this.randomDeletion());
    else if (what < 0.82) await this.transfer();
    else if (what < 0.88) await this.store.checkpoint();
    else if (what < 0.94) await this.restart();
    else await this.crash();
  }

  private async append(batch: readonly TestSpan[], records: readonly AnnotationRecord[] = []): Promise<void> {
    const expected = this.model.append(batch, records);
    const operation = { position: this.journal.length + 1, batch, records };
    this.journal.push(operation);
    assert.deepEqual(await this.store.append(spanColumns(batch), operation.position, records), expected);
  }

  private async appendAgain(): Promise<void> {
    const batches = this.journal.flatMap((operation) => ('batch' in operation ? [operation.batch] : []));
    if (batches.length > 0) await this.append(this.random.shuffle(this.random.pick(batches)));
  }

  private async delete(deletion: Deletion): Promise<void> {
    this.model.delete(deletion);
    const operation = { position: this.journal.length + 1, deletion };
    this.journal.push(operation);
    await this.store.delete(deletion, operation.position);
  }

  private async transfer(): Promise<void> {
    const { random, model } = this;
    const transfer = {
      traceRowIds: Array.from({ length: 1 + random.below(4) }, () => random.pick([...model.traceRowIds, 1])),
      projectId: this.projectIdOf(random.pick(PROJECTS)),
    };
    model.transfer(transfer);
    const operation = { position: this.journal.length + 1, transfer };
    this.journal.push(operation);
    await this.store.transfer(transfer, operation.position);
  }

  private async restart(): Promise<void> {
    await this.store.close();
    await this.open();
    assert.equal(await this.store.appliedPosition(), this.journal.length);
  }

  /** Copies the files of the running store, like a crash, and replays the journal. */
  private async crash(): Promise<void> {
    const crashed = this.newDir();
    const checkpointed = await this.store.checkpointedPosition();
    await cp(this.dir, crashed, { recursive: true });
    await this.store.close();
    this.dir = crashed;
    await this.open();
    const { projectCount } = this;
    const applied = await this.store.appliedPosition();
    assert.ok(applied >= checkpointed, 'nothing that was checkpointed is lost');
    // A record at or before the applied position changes nothing.
    for (const operation of this.mergedBatches(this.journal.slice(Math.max(0, applied - 1)))) {
      if ('batch' in operation) {
        await this.store.append(spanColumns(operation.batch), operation.position, operation.records);
      } else if ('transfer' in operation) await this.store.transfer(operation.transfer, operation.position);
      else await this.store.delete(operation.deletion, operation.position);
    }
    assert.equal(this.projectCount, projectCount, 'a replay makes no project anew');
  }

  /** The same operations with other batches, like in a replay. */
  private mergedBatches(operations: readonly Operation[]): Operation[] {
    const merged: Operation[] = operations.slice(0, 1);
    for (const operation of operations.slice(1)) {
      const last = merged.at(-1)!;
      const isMerged = merged.length > 1 && this.random.chance(0.5);
      if (isMerged && 'batch' in last && 'batch' in operation && mayBeOne(last, operation)) {
        const batch = [...last.batch, ...operation.batch];
        merged[merged.length - 1] = {
          position: operation.position,
          batch,
          records: [
            ...last.records.map((record) => ({ spanCountBefore: last.batch.length, ...record })),
            ...operation.records.map((record) => ({ ...record, spanCountBefore: batch.length })),
          ],
        };
      } else merged.push(operation);
    }
    return merged;
  }

  private async open(): Promise<void> {
    this.store = await openSpanStore({
      dir: this.dir,
      log: silentLog,
      threadCount: 1,
      // None, a few, or all of the newest spans in memory.
      recentSpanBytes: this.random.pick([0, 60_000, undefined]),
      resolveProjects: async (names, position) =>
        new Map(
          names.map((name) => {
            const deleted = this.deletedProjects.find((one) => one.name === name && one.position >= position);
            return [name, deleted?.id ?? this.projectIdOf(name)];
          }),
        ),
      removeProject: async ({ rowId, name }, position) => {
        if (!this.deletedProjects.some(({ id }) => id === rowId)) {
          this.deletedProjects.push({ name, id: rowId, position });
        }
        if (this.projects.get(name) === rowId) this.projects.delete(name);
      },
    });
  }

  async compare(): Promise<void> {
    const { store, model } = this;
    const { spanCount, traceCount, sessionCount } = await store.stats();
    assert.deepEqual({ spanCount, traceCount, sessionCount }, model.counts);
    for (const projectId of [...this.projects.values(), this.projectCount + 1]) {
      for (const order of ['asc', 'desc'] as const) {
        const sessions = { projectId, order, limit: 7 };
        assert.deepEqual((await store.findSessions(sessions)).items, model.findSessions(sessions));
        for (const sort of ['startTime', 'latency'] as const) {
          const traces = { projectId, sort, order, limit: 9 };
          assert.deepEqual((await store.findTraces(traces)).items, model.findTraces(traces));
          const further = { ...traces, fromRowId: 1 + this.random.below(120) };
          assert.deepEqual((await store.findTraces(further)).items, model.findTraces(further));
        }
      }
      for (let i = 0; i < 8; i++) {
        const query = this.randomQuery(projectId);
        const page = await store.findSpans(query);
        const rowIds = page.items.map(({ rowId }) => rowId);
        if (page.nextRowId !== undefined) rowIds.push(page.nextRowId);
        assert.deepEqual(
          rowIds,
          model.findSpans(query),
          `spans of ${JSON.stringify(query, (_, v) => (typeof v === 'bigint' ? `${v}` : v))}`,
        );
      }
    }
    for (const projectId of [...this.projects.values(), this.projectCount + 1]) {
      for (const target of ANNOTATION_TARGETS) {
        await this.compareAnnotations({ target, projectId, limit: 1000 });
        await this.compareAnnotations(this.randomAnnotationQuery(target, projectId));
      }
    }
    const found = await store.get({ of: 'traces', column: 'spans', rowIds: model.traceRowIds });
    assert.deepEqual([...found.keys()].sort(), [...model.traceRowIds].sort());
    for (const [traceRowId, spans] of found) {
      assert.deepEqual(
        await this.pageThroughTrace(traceRowId),
        spans.map(({ rowId }) => rowId),
      );
      const sums = new Map(
        spans.map((span) => [
          span.rowId,
          [span.cumulativeErrorCount, span.cumulativeTokensPrompt, span.cumulativeTokensCompletion],
        ]),
      );
      assert.deepEqual(new Map([...sums].sort()), new Map([...model.cumulate(traceRowId)].sort()));
    }
    const sumsOfTraces = await store.get({ of: 'traces', column: 'sums', rowIds: model.traceRowIds });
    assert.deepEqual([...sumsOfTraces.keys()].sort(), [...model.traceRowIds].sort());
    for (const [traceRowId, { rowIds, errorCounts, tokensPrompt, tokensCompletion, childCounts }] of sumsOfTraces) {
      const sums = Array.from(rowIds, (rowId, index) => [
        rowId,
        [errorCounts[index], tokensPrompt[index], tokensCompletion[index]],
      ]);
      assert.deepEqual(new Map(sums.sort() as [number, number[]][]), new Map([...model.cumulate(traceRowId)].sort()));
      const spans = found.get(traceRowId)!;
      for (const [index, rowId] of rowIds.entries()) {
        const { spanId } = spans.find((span) => span.rowId === rowId)!;
        assert.equal(childCounts[index], spans.filter(({ parentSpanId }) => parentSpanId === spanId).length);
      }
    }
    const traces = await store.get({ of: 'sessions', column: 'traces', rowIds: model.sessionRowIds });
    assert.deepEqual(
      new Map([...traces].map(([rowId, ofSession]) => [rowId, ofSession.map((trace) => trace.rowId)])),
      model.findTracesOfSessions(),
    );
  }

  private async pageThroughTrace(traceRowId: number): Promise<number[]> {
    const rowIds: number[] = [];
    for (let after: SpanInTrace | undefined; ; ) {
      const spans = await this.store.listSpansOfTrace({ traceRowId, limit: 3, after });
      rowIds.push(...spans.map(({ rowId }) => rowId));
      after = spans.at(-1);
      if (spans.length < 3) return rowIds;
    }
  }

  private async compareAnnotations(query: AnnotationQuery): Promise<void> {
    const { items, nextRowId } = await this.store.findAnnotations(query);
    assert.deepEqual(items, this.model.findAnnotations(query));
    if (nextRowId === undefined) return;
    const [next] = this.model.findAnnotations({ ...query, fromRowId: nextRowId });
    assert.equal((next as { rowId: number }).rowId, nextRowId);
  }

  async verify(): Promise<void> {
    await this.store.close();
    const report = await verifySpanStore(this.dir);
    assert.deepEqual(report.problems, []);
    assert.equal(report.position, this.journal.length);
    await this.open();
  }

  private projectIdOf(name: string): number {
    let id = this.projects.get(name);
    if (id === undefined) {
      id = ++this.projectCount;
      this.projects.set(name, id);
    }
    return id;
  }

  private newDir(): string {
    return join(this.parent, String(++this.dirCount));
  }

  private randomBatch(): TestSpan[] {
    return Array.from({ length: this.random.below(25) }, () => this.randomSpan());
  }

  private randomSpan(): TestSpan {
    const { random } = this;
    const start = BigInt(random.below(1000));
    const spanKind = random.pick(SPAN_KINDS);
    return {
      traceId: random.chance(0.1) ? `trace ${random.below(3)}` : `${random.below(20)}`.padStart(32, '0'),
      spanId: spanIdOf(random),
      parentSpanId: random.chance(0.6) ? spanIdOf(random) : null,
      project: random.pick(PROJECTS),
      name: `name ${random.below(5)}`,
      spanKind,
      statusCode: random.pick(STATUS_CODES),
      start,
      end: start + BigInt(random.below(500) - 50),
      attributes: {
        n: random.below(4),
        ...(spanKind === 'LLM' && { llm: { token_count: { prompt: random.below(9), total: random.below(20) } } }),
        deep: { text: `text ${random.below(4)}` },
        ...(random.chance(0.4) && { retrieval: { documents: [{}, {}, {}].slice(random.below(3)) } }),
      },
      ...(random.chance(0.3) && { metadata: { tier: `tier ${random.below(2)}` } }),
      ...(random.chance(0.7) && { input: `input ${random.below(3)} `.repeat(random.pick([1, 100, 1000])) }),
      ...(random.chance(0.7) && { output: `öutput ${random.below(3)} `.repeat(random.pick([1, 100, 1000])) }),
      ...(random.chance(0.2) && { sessionId: random.pick([' ', 'a', ' a ', 'b', 'c', 'd']) }),
      ...(random.chance(0.5) && { userId: `user ${random.below(4)}` }),
      ...(spanKind === 'LLM' && random.chance(0.8) && { modelName: random.pick(['m', ' ']) }),
      ...(spanKind === 'LLM' && { tokens: [random.below(100), random.below(100)] as const }),
    };
  }

  private randomRecords(): AnnotationRecord[] {
    const { random } = this;
    return Array.from({ length: 1 + random.below(4) }, (_, index) => {
      const target = random.pick(ANNOTATION_TARGETS);
      return {
        position: this.journal.length + 1,
        receivedAtMs: 1000 * this.journal.length + index,
        target,
        isWhole: random.chance(0.2),
        source: random.pick(ANNOTATION_SOURCES),
        userId: random.pick([null, 3]),
        annotations: Array.from({ length: random.below(6) }, () => this.randomAnnotation(target)),
      };
    });
  }

  private randomAnnotation(target: AnnotationTarget): NewAnnotation {
    const { random } = this;
    const isOfSpan = target === 'span' || target === 'document';
    return {
      targetId: this.randomTargetId(target),
      ...(isOfSpan && random.chance(0.5) && { traceId: this.randomTargetId('trace') }),
      documentPosition: target === 'document' ? random.below(4) - 1 : null,
      name: random.pick(['quality', 'Güte', '']),
      identifier: random.pick(['', 'run-1']),
      annotatorKind: random.pick(ANNOTATOR_KINDS),
      label: random.pick([null, 'good', 'ü'.repeat(20)]),
      score: random.pick([null, 0, -1.5, 1e300]),
      explanation: random.pick([null, '', 'because '.repeat(10)]),
      metadata: random.pick(['{}', '{"n":1.0}']),
    };
  }

  private randomTargetId(target: AnnotationTarget): string {
    const { random } = this;
    if (target === 'session') return random.pick(['a', 'b', 'c', 'd', 'never']);
    if (target === 'trace') return random.chance(0.1) ? `trace ${random.below(3)}` : traceIdOf(random);
    return spanIdOf(random);
  }

  private randomAnnotationQuery(target: AnnotationTarget, projectId: number): AnnotationQuery {
    const { random } = this;
    return {
      target,
      projectId,
      limit: 1 + random.below(5),
      ...(random.chance(0.3) && { fromRowId: random.below(200) }),
      ...(random.chance(0.5) && {
        targetIds: Array.from({ length: random.below(9) }, () => this.randomTargetId(target)),
      }),
      ...(random.chance(0.3) && { identifiers: [random.pick(['', 'run-1', 'run-2'])] }),
      ...(random.chance(0.3) && { names: [random.pick(['quality', 'Güte']), 'other'] }),
      ...(random.chance(0.3) && { exceptNames: [random.pick(['quality', 'Güte'])] }),
    };
  }

  private randomDeletion(): Deletion {
    const { random, model } = this;
    const some = (rowIds: readonly number[], count: number) =>
      rowIds.length === 0 ? [] : Array.from({ length: random.below(count) }, () => random.pick(rowIds));
    const what = random.next();
    if (what < 0.1) return { what: 'annotations', rowIds: some(model.annotationRowIds, 6) };
    if (what < 0.15) {
      const changes = [...new Set(some(model.annotationRowIds, 6))].map((rowId) => ({
        rowId,
        name: random.pick(['quality', 'Güte', 'other']),
        identifier: random.pick(['', 'x']),
        annotatorKind: random.pick(ANNOTATOR_KINDS),
        source: random.pick(ANNOTATION_SOURCES),
        label: random.chance(0.5) ? 'changed' : null,
        score: random.chance(0.5) ? random.below(10) / 10 : null,
        explanation: random.chance(0.5) ? 'changed\0' : null,
        metadata: '{"changed":true}',
        updatedAtMs: 1000 * this.journal.length,
      }));
      return { what: 'changedAnnotations', changes };
    }
    if (what < 0.2) {
      return {
        what: 'matchingAnnotations',
        target: random.pick(ANNOTATION_TARGETS),
        projectId: random.below(4),
        ...(random.chance(0.3) && { name: 'quality' }),
        ...(random.chance(0.3) && { identifier: '' }),
        ...(random.chance(0.3) && { annotatorKind: 'CODE' as const }),
        ...(random.chance(0.3) && { createdFromMs: 1000 * random.below(this.journal.length) }),
        ...(random.chance(0.3) && { createdBeforeMs: 1000 * random.below(this.journal.length) }),
        ...(random.chance(0.3) && {
          targetsStart: {
            ...(random.chance(0.5) && { startTimeUnixNano: BigInt(random.below(1000)) }),
            ...(random.chance(0.5) && { endTimeUnixNano: BigInt(random.below(1000)) }),
          },
        }),
      };
    }
    if (what < 0.4) {
      return {
        what: 'tracesOfProject',
        projectId: this.projects.get(random.pick(PROJECTS)) ?? 0,
        ...(random.chance(0.4) && { startTimeUnixNano: BigInt(random.below(1000)) }),
        ...(random.chance(0.7) && { endTimeUnixNano: BigInt(random.below(1000)) }),
        ...(random.chance(0.4) && { exceptNewestCount: random.below(6) }),
        withSessions: random.chance(0.3),
      };
    }
    if (what < 0.44) {
      const projectId = this.projects.get(random.pick(PROJECTS)) ?? 0;
      return { what: 'emptySessions', projectId, endBeforeUnixNano: BigInt(random.below(1500)) };
    }
    if (what < 0.55) return { what: 'spans', rowIds: some(model.spanRowIds, 12) };
    if (what < 0.75) return { what: 'traces', rowIds: some(model.traceRowIds, 5) };
    if (what < 0.85) return { what: 'sessions', rowIds: some(model.sessionRowIds, 3) };
    const name = random.pick(PROJECTS);
    return { what: 'project', projectId: this.projects.get(name) ?? 0, name };
  }

  private randomQuery(projectId: number): SpanQuery {
    const { random } = this;
    const traceId = () => `${random.below(20)}`.padStart(32, '0');
    const few = <Item>(item: () => Item) => Array.from({ length: random.below(4) }, item);
    return {
      projectId,
      limit: 1 + random.below(20),
      ...(random.chance(0.3) && { fromRowId: random.below(300) }),
      ...(random.chance(0.2) && { startTimeUnixNano: BigInt(random.below(1000)) }),
      ...(random.chance(0.2) && { endTimeUnixNano: BigInt(random.below(1000)) }),
      ...(random.chance(0.2) && { traceIds: few(traceId) }),
      ...(random.chance(0.2) && { spanIds: few(() => spanIdOf(random)) }),
      ...(random.chance(0.2) && { parentSpanId: random.pick([null, spanIdOf(random)]) }),
      ...(random.chance(0.2) && { names: few(() => `name ${random.below(6)}`) }),
      ...(random.chance(0.2) && { spanKinds: few(() => random.pick(SPAN_KINDS)) }),
      ...(random.chance(0.2) && { statusCodes: few(() => random.pick(STATUS_CODES)) }),
      ...(random.chance(0.4) && { attributes: [this.randomAttribute()] }),
    };
  }

  private randomAttribute() {
    const { random } = this;
    return random.pick([
      { path: 'n', value: random.below(5) },
      { path: 'deep.text', value: `text ${random.below(5)}` },
      { path: 'metadata.tier', value: `tier ${random.below(3)}` },
      { path: 'user.id', value: `user ${random.below(5)}` },
      { path: 'input.value', value: `input ${random.below(3)} `.repeat(random.pick([1, 100, 1000])) },
    ]);
  }
}

/** No spans after a record that must be applied as a whole, because the journal is divided there. */
const mayBeOne = (
  one: Extract<Operation, { batch: unknown }>,
  other: Extract<Operation, { batch: unknown }>,
): boolean => other.batch.length === 0 || !one.records.some(({ isWhole }) => isWhole);

const traceIdOf = (random: SeededRandom): string => `${random.below(20)}`.padStart(32, '0');

const spanIdOf = (random: SeededRandom): string =>
  random.chance(0.1) ? `span ${random.below(3)}` : `${random.below(12)}`.padStart(16, '0');
