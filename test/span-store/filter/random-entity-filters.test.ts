import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { silentLog } from '../../../src/base/log.ts';
import { STATUS_CODES } from '../../../src/semconv/span-kinds.ts';
import { parseSessionFilter, parseTraceFilter } from '../../../src/filter/entities/parse-entity-filter.ts';
import { compileEntityFilter } from '../../../src/span-store/filter/compile-entity-filter.ts';
import { type Random, randomFrom } from '../../filter/random-filters.ts';
import type { SpanStore } from '../../../src/span-store/contract/span-store.ts';
import { openSpanStore } from '../../../src/span-store/open-span-store.ts';
import { countRows } from '../../fixtures/aggregates.ts';
import { spanColumns, type TestSpan } from '../../fixtures/span-columns.ts';
import { TEST_FOLDER } from '../../fixtures/test-folder.ts';

const T = 1_772_438_400_000_000_000n; // 2026-03-02T08:00:00Z
const NAMES = ['a', 'A', "it's", 'Zürich', 'needle 1'] as const;
const SESSIONS = ['one', 'two', 'three', 'four'] as const;

/** Traces of a few spans each, some in sessions; times, tokens and costs repeat often. */
function randomSpans(random: Random): TestSpan[] {
  return Array.from({ length: 40 }, (_, trace) => {
    const sessionId = random.chance(0.8) ? random.pick(SESSIONS) : undefined;
    return Array.from({ length: 1 + random.below(5) }, (_, index): TestSpan => {
      const start = T + BigInt(random.below(5)) * 1_000_000_000n;
      const spanKind = random.pick(['LLM', 'TOOL', 'CHAIN', 'UNKNOWN'] as const);
      return {
        traceId: `trace ${trace}`,
        spanId: `${trace}.${index}`,
        start,
        end: start + BigInt(random.below(4)) * 500_000_000n,
        name: random.pick(NAMES),
        spanKind,
        statusCode: random.pick(STATUS_CODES),
        ...(index > 0 && random.chance(0.8) && { parentSpanId: `${trace}.${random.below(index)}` }),
        ...(sessionId !== undefined && { sessionId }),
        ...(spanKind === 'LLM' && { tokens: [random.below(4), random.below(3)] as [number, number] }),
        ...(spanKind === 'LLM' && {
          modelName: 'm',
          attributes: { llm: { token_count: { prompt: random.below(4), completion: random.below(3) } } },
        }),
      };
    });
  }).flat();
}

type Language = 'session' | 'trace';

/** Texts of filters, most of which the store translates. */
class RandomFilter {
  readonly #random: Random;
  readonly #language: Language;
  /** Variables of the enclosing comprehensions with their collections, innermost last. */
  readonly #scopes: { readonly name: string; readonly of: 'span' | 'trace' | 'annotation' | 'cost' }[] = [];

  constructor(random: Random, language: Language) {
    this.#random = random;
    this.#language = language;
  }

  condition(depth: number): string {
    const random = this.#random;
    if (depth > 0 && random.chance(0.5)) {
      const inner = () => this.condition(depth - 1);
      switch (random.below(5)) {
        case 0:
          return `(${inner()} and ${inner()})`;
        case 1:
          return `(${inner()} or ${inner()})`;
        case 2:
          return `(not ${inner()})`;
        default:
          if (this.#canNest()) return this.#quantifier(depth);
      }
    }
    return this.#comparison(depth);
  }

  #canNest(): boolean {
    const inner = this.#scopes.at(-1);
    if (!inner) return true;
    return this.#scopes.length < 2 && inner.of === (this.#language === 'session' ? 'trace' : 'span');
  }

  #quantifier(depth: number): string {
    const quantifier = this.#random.pick(['any', 'all']);
    return this.#over(depth, (variable, over, where) => {
      return `${quantifier}(${this.condition(depth - 1)} for ${variable} in ${over}${where})`;
    });
  }

  #over(depth: number, write: (variable: string, over: string, where: string) => string): string {
    const [over, of] = this.#collection();
    const name = `v${this.#scopes.length}`;
    this.#scopes.push({ name, of });
    const where = this.#random.chance(0.4) ? ` if ${this.#comparison(depth - 1)}` : '';
    const text = write(name, over, where);
    this.#scopes.pop();
    return text;
  }

  #collection(): readonly [string, 'span' | 'trace' | 'annotation' | 'cost'] {
    const inner = this.#scopes.at(-1);
    const own = `${this.#language}_annotations`;
    if (inner?.of === 'trace') return [`${inner.name}.spans`, 'span'];
    if (inner) {
      return this.#random.pick([
        [`${inner.name}.annotations`, 'annotation'],
        [`${inner.name}.cost_details`, 'cost'],
        [`${inner.name}.children`, 'span'],
      ] as const);
    }
    return this.#random.pick([
      ['spans', 'span'],
      ['spans', 'span'],
      [own, 'annotation'],
      ['span_annotations', 'annotation'],
      ['span_cost_details', 'cost'],
      this.#language === 'session' ? ['traces', 'trace'] : ['spans', 'span'],
    ] as const);
  }

  #comparison(depth: number): string {
    const random = this.#random;
    const equality = () => random.pick(['==', '!=']);
    const order = () => random.pick(['==', '!=', '<', '<=', '>', '>=']);
    const inner = this.#scopes.at(-1);
    switch (random.below(5)) {
      case 0: {
        const text = this.#text();
        if (!text) break;
        const literal = () =>
          JSON.stringify(random.pick([...NAMES, ...SESSIONS, 'LLM', 'ERROR', 'trace 3', '1.0', 'good', 'input']));
        if (random.chance(0.2)) return `${text} is ${random.pick(['None', 'not None'])}`;
        if (random.chance(0.3)) return `${text} ${random.pick(['in', 'not in'])} [${literal()}, ${literal()}]`;
        if (random.chance(0.3)) return `${literal()} ${random.pick(['in', 'not in'])} ${text}`;
        return `${text} ${equality()} ${literal()}`;
      }
      case 1:
        if (inner?.of === 'annotation' || inner?.of === 'cost') break;
        if (inner?.of === 'span' && this.#language === 'session') break;
        return `${inner ? `${inner.name}.` : ''}${random.pick(['start_time', 'end_time'])} ${order()} "2026-03-02T08:00:0${random.below(6)}Z"`;
      case 2:
        if (inner?.of === 'cost') return `${inner.name}.is_prompt`;
        if (!inner) return `${this.#language}_annotations["quality"]`;
        break;
    }
    return `${this.#number(depth)} ${order()} ${this.#number(depth)}`;
  }

  #text(): string | undefined {
    const random = this.#random;
    const inner = this.#scopes.at(-1);
    const annotation = `${this.#language}_annotations["${random.pick(['quality', 'other'])}"]`;
    switch (inner?.of) {
      case undefined:
        return random.pick([`${this.#language}_id`, `${annotation}.label`]);
      case 'span':
        return `${inner.name}.${random.pick(['name', 'span_kind', 'status_code', ...(this.#language === 'trace' ? ['parent_id'] : [])])}`;
      case 'annotation':
        return `${inner.name}.${random.pick(['name', 'label'])}`;
      case 'cost':
        return `${inner.name}.token_type`;
      default:
        return undefined;
    }
  }

  #number(depth: number): string {
    const random = this.#random;
    if (random.chance(0.4)) return String(random.pick([0, 1, 2, 3, 500, 1000, 0.001, 0.5]));
    if (depth > 0 && random.chance(0.2)) {
      return `(${this.#number(depth - 1)} ${random.pick(['+', '-', '*', '/', '%'])} ${this.#number(depth - 1)})`;
    }
    if (depth > 0 && this.#canNest() && random.chance(0.4)) {
      return this.#over(depth, (variable, over, where) => {
        if (random.chance(0.4)) return `len([${variable} for ${variable} in ${over}${where}])`;
        return `${random.pick(['max', 'min', 'sum'])}(${this.#numberField()} for ${variable} in ${over}${where})`;
      });
    }
    return this.#numberField();
  }

  #numberField(): string {
    const random = this.#random;
    const inner = this.#scopes.at(-1);
    const tokens = ['llm_token_count_prompt', 'llm_token_count_completion', 'llm_token_count_total'];
    switch (inner?.of) {
      case 'span':
        return `${inner.name}.${random.pick([...tokens, 'latency_ms'])}`;
      case 'trace':
        return `${inner.name}.latency_ms`;
      case 'annotation':
        return `${inner.name}.score`;
      case 'cost':
        return `${inner.name}.${random.pick(['cost', 'tokens', 'cost_per_token'])}`;
      default:
        return random.pick([
          ...(this.#language === 'session'
            ? ['duration_ms', 'num_traces', 'num_traces_with_error']
            : ['latency_ms', 'num_spans', 'error_count']),
          'token_count_prompt',
          'token_count_completion',
          'token_count_total',
          'prompt_cost',
          'completion_cost',
          'total_cost',
          'tool_span_count',
          'llm_span_count',
          `${this.#language}_annotations["quality"].score`,
        ]);
    }
  }
}

const FILTER_COUNT = 60;

describe('filters of sessions and traces as SQL', () => {
  let store: SpanStore;
  let dir: string;
  const random = randomFrom(20_260_302);

  before(async () => {
    dir = await mkdtemp(join(TEST_FOLDER, 'random-entity-filters-'));
    const resolveProjects = async (names: readonly string[]) => new Map(names.map((name) => [name, 1]));
    store = await openSpanStore({ dir, resolveProjects, log: silentLog });
    const prices = [
      { tokenType: 'input', isPrompt: true, perToken: 0.001 },
      { tokenType: 'output', isPrompt: false, perToken: 0.002 },
    ];
    const model = { rowId: 1, name: 'm', provider: '', namePattern: 'm', isBuiltIn: false, startTimeMs: null, prices };
    await store.changeCosts({ what: 'prices', models: JSON.stringify([model]) }, 1);
    const spans = randomSpans(random);
    await store.append(spanColumns(spans), 2);
    for (let index = 0; index < 120; index++) {
      const target = random.pick(['session', 'trace', 'span'] as const);
      const span = random.pick(spans);
      const ids = { session: random.pick(SESSIONS), trace: span.traceId, span: span.spanId };
      const annotation = {
        targetId: ids[target],
        name: random.pick(['quality', 'other']),
        identifier: random.pick(['', 'second']),
        label: random.pick([null, 'good', "it's"]),
        score: random.pick([null, 0, 0.5, 2]),
        explanation: null,
        documentPosition: null,
        annotatorKind: 'HUMAN',
        metadata: '{}',
      } as const;
      const batch = { target, annotations: [annotation], isWhole: false, source: 'API', userId: null } as const;
      await store.append(spanColumns([]), 3 + index, [{ ...batch, position: 3 + index, receivedAtMs: 1 }]);
    }
  });
  after(async () => {
    await store.close();
    await rm(dir, { recursive: true, force: true });
  });

  const sessionsOf = async (text: string) => {
    const filter = parseSessionFilter(text);
    const { items } = await store.listSessions({ projectId: 1, order: 'asc', limit: 100, filter });
    const sessionCount = await countRows(store, 'sessions', { projectId: 1, sessionFilter: filter });
    assert.equal(sessionCount, items.length, text);
    return items.map(({ session }) => session.sessionId);
  };
  const tracesOf = async (text: string) => {
    const traceFilter = parseTraceFilter(text);
    const query = { projectId: 1, order: 'asc', roots: 'orphansToo', limit: 100, traceFilter } as const;
    const roots = (await store.listRootSpans(query)).items.map(({ span }) => span.spanId);
    const spans = (await store.listSpans(query)).items.map(({ span }) => span.spanId);
    assert.deepEqual(spans.sort(), roots.sort(), text);
    return roots;
  };

  for (const language of ['session', 'trace'] as const) {
    test(`select the same ${language}s as the evaluation in memory`, async () => {
      const select = language === 'session' ? sessionsOf : tracesOf;
      const parse = language === 'session' ? parseSessionFilter : parseTraceFilter;
      // No operand of an untranslated alternative is translated, and this one never holds.
      const inMemory = (text: string) =>
        language === 'session'
          ? `${text} or "never there" in any_input`
          : `${text} or any(v.cumulative_error_count < -1 for v in spans)`;
      const writer = new RandomFilter(random, language);
      let exactCount = 0;
      let someCount = 0;
      for (let round = 0; round < FILTER_COUNT; round++) {
        const text = writer.condition(3);
        const found = await select(text);
        const isExact = compileEntityFilter(parse(text)!).isExact;
        if (isExact) exactCount++;
        if (isExact && found.length > 0) someCount++;
        assert.deepEqual(found, await select(inMemory(text)), text);
      }
      assert.ok(exactCount > FILTER_COUNT / 2, `${exactCount} of ${FILTER_COUNT} are translated`);
      assert.ok(someCount > FILTER_COUNT / 8, `${someCount} of them select something`);
    });
  }
});
