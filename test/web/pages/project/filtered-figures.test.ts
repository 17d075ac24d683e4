import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Operation } from '../../../../src/web/data/operation.ts';
import {
  metricsOfCosts,
  metricsOfModels,
  metricsOfScores,
  metricsOfSpans,
  metricsOfTools,
  metricsOfTraces,
} from '../../../../src/web/pages/metrics/generated/metrics.ts';
import {
  type ProjectSpansVariables,
  projectAnnotations,
  projectFacets,
  projectFigures,
  projectSeries,
  projectSessions,
  projectSpans,
} from '../../../../src/web/pages/project/generated/project.ts';
import { SeededRandom } from '../../../fixtures/seeded-random.ts';
import { openPageServer } from '../../page-server.ts';
import {
  type Annotated,
  type PlainFilter,
  quantile,
  randomSessionFilter,
  randomSpanFilter,
} from '../../random-rows.ts';
import {
  costOf,
  groupBy,
  type PlainSession,
  type PlainSpan,
  type PlainTrace,
  PRICED_MODEL,
  randomSpans,
  toSeedSpan,
  toSessions,
  toTraces,
} from '../../random-traces.ts';
import { graphql, projectId, seed } from '../../seed.ts';

/** `SEED=7 ROUNDS=100` runs others. */
const SEEDS = [Number(process.env.SEED ?? 1)];
const ROUND_COUNT = Number(process.env.ROUNDS ?? 10);
const HOUR_MS = 3_600_000;
const PLAN = { scale: 'HOUR', scaleCount: 1, utcOffsetMinutes: 0 } as const;
const PROJECTS = ['one', 'two'] as const;

interface Range {
  readonly start?: number;
  readonly end?: number;
}

interface Project {
  readonly id: string;
  readonly spans: readonly PlainSpan[];
  readonly traces: readonly PlainTrace[];
  readonly sessions: readonly PlainSession[];
}

type Target = 'span' | 'trace' | 'session';
type Annotations = Readonly<Record<Target, ReadonlyMap<string, Annotated>>>;

for (const seedNumber of SEEDS) {
  describe(`aggregates of a filter, seed ${seedNumber}`, () => {
    test('equal a plain recomputation on every tab', async (t) => {
      const server = await openPageServer(t);
      const random = new SeededRandom(seedNumber);
      const { projects, annotations, now } = await fill(server.url, random);
      for (let round = 0; round < ROUND_COUNT; round++) {
        const project = random.pick(projects);
        const range = randomRange(random, now);
        const filter = random.chance(0.15) ? undefined : randomSpanFilter(random, annotations.span);
        const check = new Check({ url: server.url, random, project, annotations, range, now });
        const what = `${JSON.stringify(range)} ${filter?.text}`;
        await t.test(`${project.id} ${what}`, async () => {
          await check.spans(filter);
          await check.tracesByRoot(filter);
          await check.traces(filter);
          await check.metrics(filter);
        });
        const ofSessions = random.chance(0.2) ? undefined : randomSessionFilter(random, project.sessions);
        await t.test(`${project.id} sessions ${JSON.stringify(range)} ${ofSessions?.text}`, () =>
          check.sessions(ofSessions),
        );
      }
    });
  });
}

/** Sends spans in several requests, children before their roots, a price, and annotations of every kind of target. */
async function fill(url: string, random: SeededRandom) {
  const now = Date.now();
  await graphql(url, `mutation ($input: CreateModelMutationInput!) { createModel(input: $input) { __typename } }`, {
    input: {
      name: PRICED_MODEL,
      namePattern: `^${PRICED_MODEL}$`,
      costs: [
        { tokenType: 'input', costPerMillionTokens: 1, kind: 'PROMPT' },
        { tokenType: 'output', costPerMillionTokens: 2, kind: 'COMPLETION' },
      ],
    },
  });
  const projects: Project[] = [];
  const annotations = { span: new Map(), trace: new Map(), session: new Map() };
  for (const [index, name] of PROJECTS.entries()) {
    const spans = randomSpans(random, name, now, 1 + 1_000 * index);
    for (let at = 0; at < spans.length; at += 150) await seed(url, name, spans.slice(at, at + 150).map(toSeedSpan));
    const traces = toTraces(spans);
    const sessions = toSessions(traces);
    await annotate(
      url,
      random,
      'span',
      annotations.span,
      spans.map(({ spanId }) => spanId),
    );
    await annotate(
      url,
      random,
      'trace',
      annotations.trace,
      traces.map(({ traceId }) => traceId),
    );
    await annotate(
      url,
      random,
      'session',
      annotations.session,
      sessions.map(({ sessionId }) => sessionId),
    );
    projects.push({ id: await projectId(url, name), spans, traces, sessions });
  }
  return { projects, annotations: annotations as Annotations, now };
}

async function annotate(
  url: string,
  random: SeededRandom,
  target: Target,
  into: Map<string, Annotated>,
  ids: readonly string[],
): Promise<void> {
  const data = ids.flatMap((id) => {
    if (random.chance(0.6)) return [];
    const annotated = { label: random.pick(['good', 'bad']), score: random.below(9) / 8 };
    into.set(id, annotated);
    return [{ [`${target}_id`]: id, name: 'quality', annotator_kind: 'CODE', result: annotated }];
  });
  const response = await fetch(`${url}/v1/${target}_annotations?sync=true`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ data }),
  });
  assert.equal(response.status, 200, await response.text());
}

function randomRange(random: SeededRandom, now: number): Range {
  const [a, b] = [random.below(7 * HOUR_MS), random.below(7 * HOUR_MS)].sort((x, y) => x - y) as [number, number];
  if (random.chance(0.3)) return { start: now - 7 * HOUR_MS };
  if (random.chance(0.3)) return { start: now - b };
  return random.chance(0.15) ? { end: now - a } : { start: now - b, end: now - a };
}

const isIn = ({ start = -Infinity, end = Infinity }: Range, time: number): boolean => time >= start && time < end;

interface Checked {
  readonly url: string;
  readonly random: SeededRandom;
  readonly project: Project;
  readonly annotations: Annotations;
  readonly range: Range;
  readonly now: number;
}

/** All queries of the pages about a project in a range, with the expected results. */
class Check {
  readonly #url: string;
  readonly #random: SeededRandom;
  readonly #project: Project;
  readonly #annotations: Annotations;
  readonly #range: Range;
  /** Range of the charts. */
  readonly #charted: { readonly start: number; readonly end: number };

  constructor({ url, random, project, annotations, range, now }: Checked) {
    this.#url = url;
    this.#random = random;
    this.#project = project;
    this.#annotations = annotations;
    this.#range = range;
    const end = range.end ?? now + 1_000;
    this.#charted = { start: range.start ?? end - 2 * HOUR_MS, end };
  }

  async spans(filter: PlainFilter<PlainSpan> | undefined): Promise<void> {
    const rows = this.#project.spans.filter((span) => isIn(this.#range, span.start) && matches(filter, span));
    await this.#isListed('spans', filter, rows.map(keyOf));
    await this.#hasFigures('spans', filter, { spans: rows, traces: null, sessions: null, timed: rows.map(latencyOf) });
    await this.#isCharted(
      'spans',
      filter,
      rows.map(({ start, isError }) => ({ start, isError })),
    );
    await this.#hasFacets(
      'spans',
      filter,
      rows.map((span) => [span]),
    );
    await this.#isAnnotated(
      'span',
      filter,
      rows.map(({ spanId }) => spanId),
      {},
    );
  }

  async tracesByRoot(filter: PlainFilter<PlainSpan> | undefined): Promise<void> {
    const rows = this.#traces().filter(({ root }) => matches(filter, root));
    await this.#areTraces('rootSpans', filter, rows);
    await this.#hasFacets(
      'rootSpans',
      filter,
      rows.map(({ root }) => [root]),
    );
    await this.#isAnnotated(
      'span',
      filter,
      rows.map(({ root }) => root.spanId),
      { rootSpansOnly: true },
    );
  }

  async traces(filter: PlainFilter<PlainSpan> | undefined): Promise<void> {
    const rows = this.#traces().filter(({ spans }) => spans.some((span) => matches(filter, span)));
    await this.#areTraces('traces', filter, rows);
    const selected = rows.map(({ spans }) => spans.filter((span) => matches(filter, span)));
    await this.#hasFacets('traces', filter, selected);
    await this.#isAnnotated(
      'trace',
      filter,
      rows.map(({ traceId }) => traceId),
      {},
    );
  }

  async sessions(filter: PlainFilter<PlainSession> | undefined): Promise<void> {
    const { start = -Infinity, end = Infinity } = this.#range;
    const rows = this.#project.sessions.filter(
      (session) => session.end >= start && session.start < end && matches(filter, session),
    );
    const { sessions } = await this.#ask(projectSessions, {
      first: 1_000,
      timeRange: toTimes(this.#range),
      sort: { col: 'startTime', dir: 'desc' },
      filterCondition: filter?.text ?? null,
    });
    const listed = sessions.edges.map(({ node }) => node.sessionId);
    assert.deepEqual(listed.sort(), rows.map(({ sessionId }) => sessionId).sort());
    const traces = rows.flatMap((session) => session.traces);
    await this.#hasFigures('sessions', filter, {
      spans: traces.flatMap(({ spans }) => spans),
      traces: traces.length,
      sessions: rows.length,
      timed: traces.map(latencyOfTrace),
    });
    const bins = rows.map((session) => ({
      start: session.start,
      isError: session.traces.some(({ spans }) => spans.some(({ isError }) => isError)),
    }));
    await this.#isCharted('sessions', filter, bins);
    await this.#isAnnotated(
      'session',
      filter,
      rows.map(({ sessionId }) => sessionId),
      {},
    );
  }

  /** Charts count traces that start in their range and have a matching span, and these spans. */
  async metrics(filter: PlainFilter<PlainSpan> | undefined): Promise<void> {
    const isSelected = (span: PlainSpan) => matches(filter, span);
    const traces = this.#project.traces.filter(
      ({ start, spans }) => isIn(this.#charted, start) && spans.some(isSelected),
    );
    const ofTraces = traces.flatMap(({ start, spans }) => spans.filter(isSelected).map((span) => ({ span, start })));
    const spans = this.#project.spans.filter((span) => isIn(this.#charted, span.start) && isSelected(span));
    const timeRange = toTimes(this.#charted);
    const chart = { timeRange, timeBinConfig: PLAN, filterCondition: filter?.text ?? null };
    const narrowed = (condition: string) => (filter ? `(${filter.text}) and ${condition}` : condition);

    const { rowFigures } = await this.#ask(projectFigures, {
      grain: 'traces',
      timeRange,
      filterCondition: filter?.text ?? null,
      ofMatchingSpans: true,
    });
    isClose(rowFigures, {
      ...figuresOf({
        spans: ofTraces.map(({ span }) => span),
        traces: traces.length,
        sessions: null,
        timed: traces.map(latencyOfTrace),
      }),
      spanCount: spans.length,
    });

    const byTrace = await this.#ask(metricsOfTraces, chart);
    const counts = byTrace.traceCountByStatusTimeSeries.data;
    const bins = groupBy(traces, ({ start }) => binOf(start));
    isClose(
      counts.filter(({ okCount, errorCount }) => okCount + errorCount > 0),
      inOrder(bins, (found) => ({
        okCount: found.filter((one) => !hasError(one)).length,
        errorCount: found.filter(hasError).length,
      })),
    );
    isClose(
      byTrace.traceLatencyMsPercentileTimeSeries.data.flatMap(({ p50, p99, max }) =>
        p50 === null ? [] : { p50, p99, max },
      ),
      [...bins].sort(byKey).map(([, found]) => {
        const ms = found.map(latencyOfTrace);
        return { p50: quantile(ms, 0.5), p99: quantile(ms, 0.99), max: quantile(ms, 1) };
      }),
    );

    const costs = await this.#ask(metricsOfCosts, chart);
    const sumOf = (values: readonly (number | null)[]) => values.reduce<number>((sum, value) => sum + (value ?? 0), 0);
    const tokens = costs.traceTokenCountTimeSeries.data;
    isClose(
      tokens.flatMap(({ promptTokenCount, completionTokenCount }) =>
        promptTokenCount === null ? [] : { promptTokenCount, completionTokenCount },
      ),
      [...groupBy(ofTraces, ({ start }) => binOf(start))].sort(byKey).map(([, found]) => ({
        promptTokenCount: sumOf(found.map(({ span }) => span.prompt)),
        completionTokenCount: sumOf(found.map(({ span }) => span.completion)),
      })),
    );
    isClose(
      {
        tokens: sumOf(
          tokens.flatMap(({ promptTokenCountDetails: p, completionTokenCountDetails: c }) =>
            [...p, ...c].map(({ tokenCount }) => tokenCount),
          ),
        ),
        prompt: sumOf(costs.traceTokenCostTimeSeries.data.map(({ promptCost }) => promptCost)),
        completion: sumOf(costs.traceTokenCostTimeSeries.data.map(({ completionCost }) => completionCost)),
      },
      { tokens: rowFigures.tokenCountTotal, prompt: rowFigures.costPrompt, completion: rowFigures.costCompletion },
    );

    const bySpan = await this.#ask(metricsOfSpans, {
      ...chart,
      llmFilter: narrowed("span_kind == 'LLM'"),
      toolFilter: narrowed("span_kind == 'TOOL'"),
    });
    const countOf = (
      points: readonly {
        errorCount: number | null;
        totalCount?: number | null;
        okCount?: number | null;
        unsetCount?: number | null;
      }[],
    ) => [
      sumOf(points.map(({ errorCount }) => errorCount)),
      sumOf(points.map((one) => one.totalCount ?? (one.okCount ?? 0) + (one.unsetCount ?? 0) + (one.errorCount ?? 0))),
    ];
    const expectedOf = (found: readonly PlainSpan[]) => [found.filter(({ isError }) => isError).length, found.length];
    assert.deepEqual(countOf(bySpan.all.data), expectedOf(spans));
    assert.deepEqual(countOf(bySpan.llm.data), expectedOf(spans.filter(({ kind }) => kind === 'LLM')));
    assert.deepEqual(countOf(bySpan.tool.data), expectedOf(spans.filter(({ kind }) => kind === 'TOOL')));

    const { topModelsByCost, topModelsByTokenCount } = await this.#ask(metricsOfModels, chart);
    const priced = ofTraces.flatMap(({ span }) => (span.model === PRICED_MODEL ? [span] : []));
    const none = priced.length === 0;
    isClose(
      topModelsByCost.map(({ name, costSummary }) => [name, costSummary.total.cost]),
      none ? [] : [[PRICED_MODEL, sumOf(priced.map((span) => costOf(span)))]],
    );
    isClose(
      topModelsByTokenCount.map(({ name, costSummary }) => [name, costSummary.total.tokens]),
      none ? [] : [[PRICED_MODEL, sumOf(priced.map(({ prompt, completion }) => prompt + completion))]],
    );

    const tools = await this.#ask(metricsOfTools, {
      ...chart,
      toolFilter: narrowed("span_kind == 'TOOL'"),
      failedToolFilter: narrowed("span_kind == 'TOOL' and status_code == 'ERROR'"),
    });
    const namesOf = (facets: typeof tools.all | typeof tools.failed) =>
      sortedCounts(
        (facets.facets.find(({ field }) => field === 'name')?.values ?? []).map(({ value, count }) => [value, count]),
      );
    const toolSpans = spans.filter(({ kind }) => kind === 'TOOL');
    assert.deepEqual(namesOf(tools.all), countValues(toolSpans.map((span) => [span.name])));
    assert.deepEqual(
      namesOf(tools.failed),
      countValues(toolSpans.filter(({ isError }) => isError).map((span) => [span.name])),
    );

    const scores = await this.#ask(metricsOfScores, chart);
    const sessions = this.#project.sessions.filter(
      ({ start, traces: own }) =>
        isIn(this.#charted, start) && (!filter || own.some((trace) => trace.spans.some(isSelected))),
    );
    this.#isScored(
      'span',
      scores.spanAnnotationScoreTimeSeries.data,
      spans.map(({ spanId, start }) => ({ id: spanId, start })),
    );
    this.#isScored(
      'trace',
      scores.traceAnnotationScoreTimeSeries.data,
      traces.map(({ traceId, start }) => ({ id: traceId, start })),
    );
    this.#isScored(
      'session',
      scores.sessionAnnotationScoreTimeSeries.data,
      sessions.map(({ sessionId, start }) => ({ id: sessionId, start })),
    );
  }

  #traces(): readonly PlainTrace[] {
    return this.#project.traces.filter(({ start }) => isIn(this.#range, start));
  }

  async #areTraces(
    grain: 'rootSpans' | 'traces',
    filter: PlainFilter<PlainSpan> | undefined,
    rows: readonly PlainTrace[],
  ): Promise<void> {
    await this.#isListed(
      grain,
      filter,
      rows.map(({ root }) => keyOf(root)),
    );
    await this.#hasFigures(grain, filter, {
      spans: rows.flatMap(({ spans }) => spans),
      traces: rows.length,
      sessions: null,
      timed: rows.map(latencyOfTrace),
    });
    await this.#isCharted(
      grain,
      filter,
      rows.map((trace) => ({
        start: trace.start,
        isError: grain === 'rootSpans' ? trace.root.isError : hasError(trace),
      })),
    );
  }

  /** Reads all pages in several orders. */
  async #isListed(
    grain: 'spans' | 'rootSpans' | 'traces',
    filter: PlainFilter<PlainSpan> | undefined,
    expected: readonly string[],
  ): Promise<void> {
    for (const col of ['startTime', this.#random.pick(['latencyMs', 'cumulativeTokenCountTotal'] as const)] as const) {
      const found: string[] = [];
      for (let after: string | null | undefined = null; after !== undefined; ) {
        const variables: Omit<ProjectSpansVariables, 'id'> = {
          first: 90,
          after,
          timeRange: toTimes(this.#range),
          sort: { col, dir: 'desc' },
          rootSpansOnly: grain !== 'spans',
          grain,
          isOfTraces: false,
          isOfRoots: false,
          isDetailed: false,
          filterCondition: filter?.text ?? null,
        };
        const { spans }: { spans: SpanPage } = await this.#ask(projectSpans, variables);
        found.push(...spans.edges.map(({ node: { context } }) => `${context.traceId} ${context.spanId}`));
        after = spans.pageInfo.hasNextPage ? spans.pageInfo.endCursor : undefined;
      }
      assert.deepEqual(found.sort(), [...expected].sort(), `rows of ${grain} by ${col}`);
    }
  }

  async #hasFigures(grain: Grain, filter: PlainFilter<never> | undefined, expected: PlainFigures): Promise<void> {
    const timeRange = toTimes(this.#range);
    const { rowFigures } = await this.#ask(projectFigures, { grain, timeRange, ...filtersOf(grain, filter) });
    isClose(rowFigures, figuresOf(expected), `figures of ${grain}`);
  }

  async #isCharted(
    grain: Grain,
    filter: PlainFilter<never> | undefined,
    rows: readonly { readonly start: number; readonly isError: boolean }[],
  ): Promise<void> {
    const { start, end } = this.#charted;
    const { rowCountTimeSeries } = await this.#ask(projectSeries, {
      grain,
      timeRange: toTimes(this.#charted),
      rowRange: toTimes(this.#range),
      timeBinConfig: PLAN,
      ...filtersOf(grain, filter),
    });
    const found = rowCountTimeSeries.data.filter(({ totalCount }) => totalCount > 0);
    const bins = groupBy(rows, (row) => binOf(Math.min(Math.max(row.start, start), end - 1)));
    const expected = [...bins].sort(byKey).map(([bin, inBin]) => ({
      timestamp: Number(bin),
      errorCount: inBin.filter(({ isError }) => isError).length,
      totalCount: inBin.length,
    }));
    assert.deepEqual(
      found.map((point) => ({ ...point, timestamp: Date.parse(point.timestamp) })),
      expected,
      `chart of ${grain}`,
    );
  }

  /** Checks facets of rows, each given as its matching spans. A value counts once per row. */
  async #hasFacets(
    grain: 'spans' | 'rootSpans' | 'traces',
    filter: PlainFilter<PlainSpan> | undefined,
    rows: readonly (readonly PlainSpan[])[],
  ): Promise<void> {
    const { spanFacets } = await this.#ask(projectFacets, {
      grain,
      timeRange: toTimes(this.#range),
      filterCondition: filter?.text ?? null,
    });
    assert.equal(spanFacets.rowCount, rows.length, `rows of the values of ${grain}`);
    const failedTraceIds = new Set(
      this.#project.traces.filter(hasError).flatMap(({ spans }) => spans.map(({ traceId }) => traceId)),
    );
    const valuesOf = {
      errorInTrace: ({ traceId }) => (failedTraceIds.has(traceId) ? 'True' : undefined),
      status: ({ isError }) => (isError ? 'ERROR' : 'UNSET'),
      kind: ({ kind }) => kind,
      name: ({ name }) => name,
      model: ({ model }) => model,
      user: ({ user }) => user,
      session: ({ session }) => session,
      metadata: ({ tier }) => tier,
    } satisfies Record<string, (span: PlainSpan) => string | undefined>;
    for (const [field, select] of Object.entries(valuesOf)) {
      const facet = spanFacets.facets.find((each) => each.field === field);
      const found = (facet?.values ?? []).map(({ value, count }) => [value, count] as const);
      const expected = countValues(rows.map((spans) => spans.flatMap((span) => select(span) ?? [])));
      assert.deepEqual(sortedCounts(found), expected.slice(0, 8), `${field} of ${grain}`);
    }
  }

  async #isAnnotated(
    target: Target,
    filter: PlainFilter<never> | undefined,
    ids: readonly string[],
    { rootSpansOnly = false },
  ): Promise<void> {
    const { spans, traces, sessions } = await this.#ask(projectAnnotations, {
      timeRange: toTimes(this.#range),
      ...filtersOf(target === 'session' ? 'sessions' : 'spans', filter),
      rootSpansOnly,
      isOfSpans: target === 'span',
      isOfTraces: target === 'trace',
      isOfSessions: target === 'session',
    });
    const [found] = spans ?? traces ?? sessions ?? [];
    const judged = ids.flatMap((id) => this.#annotations[target].get(id) ?? []);
    if (judged.length === 0) return assert.equal(found, undefined);
    const labels = countValues(judged.map(({ label }) => [label])).map(([label, count]) => ({
      label,
      fraction: count / judged.length,
    }));
    isClose(
      { count: found?.count, meanScore: found?.meanScore, labels: [...(found?.labelFractions ?? [])].sort(byLabel) },
      { count: judged.length, meanScore: meanOf(judged), labels: labels.sort(byLabel) },
      `annotations of ${target}`,
    );
  }

  #isScored(
    target: Target,
    points: readonly { readonly timestamp: string; readonly scoresWithLabels: readonly { readonly score: number }[] }[],
    targets: readonly { readonly id: string; readonly start: number }[],
  ): void {
    const judged = targets.filter(({ id }) => this.#annotations[target].has(id));
    const expected = [...groupBy(judged, ({ start }) => binOf(start))].sort(byKey).map(([bin, inBin]) => ({
      bin: Number(bin),
      score: meanOf(inBin.map(({ id }) => this.#annotations[target].get(id)!)),
    }));
    const found = points.flatMap(({ timestamp, scoresWithLabels: [first] }) =>
      first ? [{ bin: Date.parse(timestamp), score: first.score }] : [],
    );
    isClose(found, expected, `scores of ${target}`);
  }

  async #ask<Data extends { readonly node: { readonly __typename: string } }, Variables>(
    operation: Operation<Data, Variables>,
    variables: Omit<Variables, 'id'>,
  ): Promise<Extract<Data['node'], { readonly __typename: 'Project' }>> {
    const { node } = await graphql<Data>(this.#url, operation.text, { id: this.#project.id, ...variables });
    assert.equal(node.__typename, 'Project');
    return node as Extract<Data['node'], { readonly __typename: 'Project' }>;
  }
}

type Grain = 'spans' | 'rootSpans' | 'traces' | 'sessions';

interface SpanPage {
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
  readonly edges: readonly {
    readonly node: { readonly context: { readonly traceId: string; readonly spanId: string } };
  }[];
}

interface PlainFigures {
  readonly spans: readonly PlainSpan[];
  readonly traces: number | null;
  readonly sessions: number | null;
  /** Latencies in ms. */
  readonly timed: readonly number[];
}

function figuresOf({ spans, traces, sessions, timed }: PlainFigures): object {
  const sum = (of: (span: PlainSpan) => number) => spans.reduce((total, span) => total + of(span), 0);
  return {
    sessionCount: sessions,
    traceCount: traces,
    spanCount: spans.length,
    latencyMsP50: quantile(timed, 0.5),
    latencyMsP99: quantile(timed, 0.99),
    tokenCountPrompt: sum(({ prompt }) => prompt),
    tokenCountCompletion: sum(({ completion }) => completion),
    tokenCountTotal: sum(({ prompt, completion }) => prompt + completion),
    costPrompt: sum((span) => costOf(span, 'prompt')),
    costCompletion: sum((span) => costOf(span, 'completion')),
    costTotal: sum((span) => costOf(span)),
  };
}

const filtersOf = (grain: Grain, filter: PlainFilter<never> | undefined) =>
  grain === 'sessions'
    ? { filterCondition: null, sessionFilterCondition: filter?.text ?? null }
    : { filterCondition: filter?.text ?? null, sessionFilterCondition: null };

const matches = <Item>(filter: PlainFilter<Item> | undefined, item: Item): boolean => filter?.matches(item) ?? true;
const keyOf = ({ traceId, spanId }: PlainSpan): string => `${traceId} ${spanId}`;
const latencyOf = ({ latencyMs }: PlainSpan): number => latencyMs;
const latencyOfTrace = ({ start, end }: PlainTrace): number => end - start;
const hasError = ({ spans }: PlainTrace): boolean => spans.some(({ isError }) => isError);
const meanOf = (judged: readonly Annotated[]): number =>
  judged.reduce((sum, { score }) => sum + score, 0) / judged.length;
const binOf = (ms: number): string => String(Math.floor(ms / HOUR_MS) * HOUR_MS);
const byKey = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => Number(a) - Number(b);
const byLabel = (a: { readonly label: string }, b: { readonly label: string }): number => (a.label < b.label ? -1 : 1);
const toTimes = ({ start, end }: Range) => ({
  ...(start !== undefined && { start: new Date(start).toISOString() }),
  ...(end !== undefined && { end: new Date(end).toISOString() }),
});

const inOrder = <Item>(bins: ReadonlyMap<string, Item[]>, toPoint: (items: readonly Item[]) => object): object[] =>
  [...bins].sort(byKey).map(([bin, items]) => ({ timestamp: new Date(Number(bin)).toISOString(), ...toPoint(items) }));

/** Counts the rows with each value, the most frequent first, then by value. */
function countValues(rows: readonly (readonly string[])[]): (readonly [string, number])[] {
  const counts = new Map<string, number>();
  for (const values of rows) for (const value of new Set(values)) counts.set(value, (counts.get(value) ?? 0) + 1);
  return sortedCounts([...counts]);
}

const sortedCounts = (counts: readonly (readonly [string, number])[]): (readonly [string, number])[] =>
  [...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));

/** Compares values with a tolerance for floating-point sums. Times may be in any form. */
function isClose(actual: unknown, expected: unknown, what?: string): void {
  assert.deepEqual(rounded(actual), rounded(expected), what);
}

function rounded(value: unknown): unknown {
  if (typeof value === 'number') return Number(value.toPrecision(9));
  if (typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value)) return Date.parse(value);
  if (Array.isArray(value)) return value.map(rounded);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, rounded(one)]));
}
