import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { AnnotationTarget } from '../../../src/model/annotations/annotation.ts';
import { toGlobalId } from '../../../src/api/contract/global-id.ts';
import { shareTestServer, type TestServer } from '../test-server.ts';

const openServer = shareTestServer();

const HOUR = 3_600_000_000_000n;
const spanIdOf = (n: number): string => String(n).padStart(16, '0');
const traceIdOf = (n: number): string => String(n).padStart(32, '0');

interface Judged {
  readonly on: number | string;
  readonly name: string;
  readonly score?: number;
  readonly label?: string;
  readonly identifier?: string;
  readonly documentPosition?: number;
  readonly annotatorKind?: 'LLM' | 'CODE';
}

/** Six traces of one span each, an hour apart, in two sessions. */
async function openWithSpans(): Promise<TestServer> {
  const server = await openServer();
  await server.append(
    ...[1, 2, 3, 4, 5, 6].map((n) => ({
      traceId: traceIdOf(n),
      spanId: spanIdOf(n),
      name: `span ${n}`,
      start: BigInt(n) * HOUR,
      end: BigInt(n) * HOUR + BigInt(n),
      sessionId: n <= 3 ? 'early' : 'late',
      spanKind: 'RETRIEVER' as const,
      attributes: { retrieval: { documents: [{}, {}, {}].slice(0, n % 4) } },
    })),
  );
  return server;
}

async function annotate(server: TestServer, target: AnnotationTarget, ...rows: readonly Judged[]): Promise<void> {
  const targetIdOf = (on: number | string) =>
    typeof on === 'string' ? on : target === 'trace' ? traceIdOf(on) : spanIdOf(on);
  await server.ports.writes.submitAnnotations({
    target,
    isWhole: true,
    source: 'API',
    userId: null,
    annotations: rows.map(({ on, name, score, label, identifier, documentPosition, annotatorKind }) => ({
      targetId: targetIdOf(on),
      documentPosition: documentPosition ?? null,
      name,
      identifier: identifier ?? '',
      annotatorKind: annotatorKind ?? 'LLM',
      label: label ?? null,
      score: score ?? null,
      explanation: null,
      metadata: '{}',
    })),
  });
  await server.settled();
}

const PROJECT = toGlobalId('Project', 1);
const ofProject = async (server: TestServer, fields: string) =>
  (await server.ask(`{node(id:"${PROJECT}"){...on Project{${fields}}}}`)).node;
const SUMMARY = 'name count scoreCount labelCount meanScore labels labelFractions{label fraction}';
const at = (hour: number): string => new Date(hour * 3_600_000).toISOString();

describe('GraphQL figures of annotations', () => {
  test('a summary weighs each span equally, however often it was annotated', async (_t) => {
    const server = await openWithSpans();
    await annotate(
      server,
      'span',
      { on: 1, name: 'q', score: 1, label: 'A' },
      { on: 2, name: 'q', score: 0, label: 'A', identifier: '1' },
      { on: 2, name: 'q', score: 0, label: 'B', identifier: '2' },
      { on: 2, name: 'q', score: 0, label: 'B', identifier: '3' },
      { on: 2, name: 'q', score: 0, label: 'B', identifier: '4' },
      { on: 3, name: 'q', score: 0.5 },
      { on: 4, name: 'q' },
    );

    const { spanAnnotationSummary: summary } = await ofProject(
      server,
      `spanAnnotationSummary(annotationName:"q"){${SUMMARY}}`,
    );

    assert.deepEqual(summary, {
      name: 'q',
      count: 6,
      scoreCount: 6,
      labelCount: 5,
      meanScore: 0.5,
      labels: ['A', 'B'],
      labelFractions: [
        { label: 'A', fraction: 1.25 / 3 },
        { label: 'B', fraction: 0.75 / 3 },
      ],
    });
  });

  test('a summary is of the spans in the range that the filter selects, and null without any', async (_t) => {
    const server = await openWithSpans();
    await annotate(server, 'span', { on: 1, name: 'q', score: 1 }, { on: 2, name: 'q', score: 3, label: 'good' });

    const range = `{start:"${at(2)}",end:"${at(3)}"}`;
    const found = await ofProject(
      server,
      `a:spanAnnotationSummary(annotationName:"q",timeRange:${range}){count meanScore}
       b:spanAnnotationSummary(annotationName:"q",filterCondition:"name == 'span 2'"){count labelFractions{fraction}}
       c:spanAnnotationSummary(annotationName:"q",sessionFilterCondition:"session_id == 'early'"){count}
       d:spanAnnotationSummary(annotationName:"q",sessionFilterCondition:"session_id == 'late'"){count}
       e:spanAnnotationSummary(annotationName:"none"){count}`,
    );

    assert.deepEqual(found, {
      a: { count: 1, meanScore: 3 },
      b: { count: 1, labelFractions: [{ fraction: 1 }] },
      c: { count: 2 },
      d: null,
      e: null,
    });
  });

  test('traces and sessions have summaries, names and series of their own', async (_t) => {
    const server = await openWithSpans();
    await annotate(server, 'trace', { on: 1, name: 't', score: 1 }, { on: 5, name: 't', label: 'x' });
    await annotate(server, 'session', { on: 'early', name: 's', score: 2 }, { on: 'late', name: 's', score: 4 });

    const range = `{start:"${at(4)}",end:"${at(8)}"}`;
    const found = await ofProject(
      server,
      `traceAnnotationSummary(annotationName:"t",filterCondition:"name == 'nobody'"){count}
       sessionAnnotationSummary(annotationName:"s",timeRange:${range}){meanScore}
       traceAnnotationNameCounts{name count}
       traceAnnotationMetricNames(timeRange:${range})
       sessionAnnotationScoreTimeSeries(timeRange:${range}){names data{timestamp scoresWithLabels{label score}}}
       traceAnnotationMetricsTimeSeries(timeRange:${range}){names data{annotationSummaries{labels}}}`,
    );

    assert.deepEqual(found, {
      traceAnnotationSummary: { count: 2 },
      sessionAnnotationSummary: { meanScore: 4 },
      traceAnnotationNameCounts: [{ name: 't', count: 2 }],
      traceAnnotationMetricNames: ['t'],
      sessionAnnotationScoreTimeSeries: {
        names: ['s'],
        data: [4, 5, 6, 7].map((hour) => ({
          timestamp: at(hour).replace('.000Z', '+00:00'),
          scoresWithLabels: hour === 4 ? [{ label: 's', score: 4 }] : [],
        })),
      },
      traceAnnotationMetricsTimeSeries: {
        names: ['t'],
        data: [4, 5, 6, 7].map((hour) => ({ annotationSummaries: hour === 5 ? [{ labels: ['x'] }] : [] })),
      },
    });
  });

  test('a series of scores has plain means by name, and a series needs a start', async (_t) => {
    const server = await openWithSpans();
    await annotate(
      server,
      'span',
      { on: 1, name: 'q', score: 1 },
      { on: 2, name: 'q', score: 0, identifier: '1' },
      { on: 2, name: 'q', score: 3, identifier: '2' },
      { on: 2, name: 'labelled', label: 'x' },
    );

    const series = 'spanAnnotationScoreTimeSeries';
    const day = `{start:"${at(0)}",end:"${at(24)}"}`;
    const found = await ofProject(
      server,
      `${series}(timeRange:${day},timeBinConfig:{scale:DAY}){names data{scoresWithLabels{label score}}}`,
    );
    // By the names of the older schema.
    const older = await ofProject(
      server,
      `${series}(timeRange:${day},timeBinConfig:{scale:DAY}){... on SpanAnnotationScoreTimeSeries{names
         data{... on SpanAnnotationScoreTimeSeriesDataPoint{scoresWithLabels{... on SpanAnnotationScoreWithLabel{label score}}}}}}`,
    );
    const { errors } = await server.post(`{node(id:"${PROJECT}"){...on Project{${series}(timeRange:{}){names}}}}`);

    assert.deepEqual(found[series], { names: ['q'], data: [{ scoresWithLabels: [{ label: 'q', score: 4 / 3 }] }] });
    assert.deepEqual(older[series], found[series]);
    assert.deepEqual(errors, ['Start time is required']);
  });

  test('an evaluation of documents by an LLM is summed up over spans', async (_t) => {
    const server = await openWithSpans();
    await annotate(
      server,
      'document',
      { on: 2, name: 'r', documentPosition: 0, score: 0 },
      { on: 2, name: 'r', documentPosition: 1, score: 1 },
      { on: 3, name: 'r', documentPosition: 0, score: 1 },
      { on: 1, name: 'r', documentPosition: 0, score: 1, annotatorKind: 'CODE' },
      { on: 1, name: 'by code', documentPosition: 0, score: 1, annotatorKind: 'CODE' },
    );

    const found = await ofProject(
      server,
      `documentEvaluationNames documentEvaluationSummary(evaluationName:"r"){evaluationName averagePrecision countPrecision
         p1:averagePrecision(k:1) countNdcg meanReciprocalRank countReciprocalRank hitRate countHit}
       none:documentEvaluationSummary(evaluationName:"by code"){countHit}`,
    );

    assert.deepEqual(found, {
      documentEvaluationNames: ['r'],
      documentEvaluationSummary: {
        evaluationName: 'r',
        averagePrecision: 0.5,
        countPrecision: 1,
        p1: 0.5,
        countNdcg: 1,
        meanReciprocalRank: 0.75,
        countReciprocalRank: 2,
        hitRate: 1,
        countHit: 2,
      },
      none: null,
    });
  });
});

describe('GraphQL lists by annotation', () => {
  async function page(server: TestServer, list: string, sort: string, field: string): Promise<string[]> {
    const names: string[] = [];
    for (let after = ''; ; ) {
      const { [list]: found } = await ofProject(
        server,
        `${list}(first:2,sort:{${sort}}${after && `,after:"${after}"`}){pageInfo{hasNextPage endCursor} edges{node{${field}}}}`,
      );
      names.push(...found.edges.map(({ node }: { node: Record<string, string> }) => node[field]));
      if (!found.pageInfo.hasNextPage) return names;
      after = found.pageInfo.endCursor;
    }
  }

  test('spans with the annotation, each once, page by page; those without the value last', async (_t) => {
    const server = await openWithSpans();
    await annotate(
      server,
      'span',
      { on: 1, name: 'q', score: 1e300, label: 'b' },
      { on: 2, name: 'q', score: -0.5, label: 'ä: 1\n' },
      { on: 3, name: 'q', label: 'a' },
      { on: 4, name: 'q', score: 1 },
      { on: 5, name: 'q', score: 7, identifier: '1' },
      { on: 5, name: 'q', score: 1, identifier: '2' },
      { on: 6, name: 'other', score: 1 },
    );

    const by = (attr: string, dir: string) =>
      page(server, 'spans', `evalResultKey:{name:"q",attr:${attr}},dir:${dir}`, 'name');
    assert.deepEqual(await by('score', 'asc'), ['span 2', 'span 4', 'span 5', 'span 1', 'span 3']);
    assert.deepEqual(await by('score', 'desc'), ['span 1', 'span 5', 'span 4', 'span 2', 'span 3']);
    assert.deepEqual(await by('label', 'asc'), ['span 3', 'span 1', 'span 2', 'span 4', 'span 5']);
    assert.deepEqual(await by('label', 'desc'), ['span 2', 'span 1', 'span 3', 'span 5', 'span 4']);
  });

  test('sessions too', async (_t) => {
    const server = await openWithSpans();
    await annotate(server, 'session', { on: 'early', name: 'q', score: 1 }, { on: 'late', name: 'q', score: 2 });
    await annotate(server, 'span', { on: 1, name: 'q', score: 9 });

    const sort = 'annoResultKey:{name:"q",attr:score},dir:desc';
    assert.deepEqual(await page(server, 'sessions', sort, 'sessionId'), ['late', 'early']);
  });

  test('by one key alone, and with a cursor of the same list alone', async (_t) => {
    const server = await openWithSpans();
    const list = (args: string) =>
      server.post(`{node(id:"${PROJECT}"){...on Project{spans(first:1,${args}){edges{cursor}}}}}`);
    const key = 'evalResultKey:{name:"q",attr:score}';
    const refused = 'Exactly one of `col` or `evalResultKey` must be specified on `SpanSort`.';

    assert.deepEqual((await list(`sort:{col:startTime,${key},dir:asc}`)).errors, [refused]);
    assert.deepEqual((await list('sort:{dir:asc}')).errors, [refused]);
    const cursor = Buffer.from('1:FLOAT:0.5').toString('base64');
    assert.deepEqual((await list(`sort:{${key},dir:asc},after:"${cursor}"`)).errors, [`Invalid cursor: ${cursor}`]);
  });
});

describe('GraphQL deletion of annotations by name', () => {
  const remove = (server: TestServer, of: string, input: string) =>
    server.post(
      `mutation{deleteProject${of}Annotations(input:{projectId:"${PROJECT}",${input}}){deletedAnnotationCount query{projectCount}}}`,
    );

  test('deletes all, or those of a time, and returns their number', async (_t) => {
    const server = await openWithSpans();
    const all = [1, 2, 3, 4, 5, 6].map((on) => ({ on, name: 'q', score: on }));
    await annotate(server, 'span', ...all, { on: 1, name: 'other' });
    await annotate(server, 'trace', ...all);
    await annotate(server, 'session', { on: 'early', name: 'q' }, { on: 'late', name: 'q' });
    const countOf = async (of: string, input: string) => {
      const { data, errors } = await remove(server, of, input);
      assert.equal(errors, undefined);
      return data[`deleteProject${of}Annotations`].deletedAnnotationCount;
    };

    const started = `annotationName:"q",timeRangeField:SOURCE_START_TIME,timeRange:{start:"${at(2)}",end:"${at(4)}"}`;
    assert.equal(await countOf('Span', started), 2);
    assert.equal(await countOf('Span', started), 0);
    assert.equal(await countOf('Span', `annotationName:"q",timeRange:{end:"${at(4)}"}`), 0);
    assert.equal(await countOf('Span', `annotationName:"q",timeRange:{start:"${at(4)}"}`), 4);
    assert.equal(await countOf('Trace', started), 2);
    assert.equal(await countOf('Session', started), 0);
    assert.equal(await countOf('Session', 'annotationName:"q"'), 2);
    const left = await ofProject(
      server,
      'spanAnnotationNameCounts{name count} traceAnnotationNameCounts{name count} sessionAnnotationNames',
    );
    assert.deepEqual(left, {
      spanAnnotationNameCounts: [{ name: 'other', count: 1 }],
      traceAnnotationNameCounts: [{ name: 'q', count: 4 }],
      sessionAnnotationNames: [],
    });
  });

  test('rejects a missing name, an empty range, and an ID of another type', async (_t) => {
    const server = await openWithSpans();
    assert.deepEqual((await remove(server, 'Span', 'annotationName:" "')).errors, ['An annotation name is required.']);
    const empty = `annotationName:"q",timeRange:{start:"${at(2)}",end:"${at(2)}"}`;
    assert.deepEqual((await remove(server, 'Trace', empty)).errors, ['Invalid time range: start must be before end.']);
    const unknown = toGlobalId('Project', 9);
    const { errors } = await server.post(
      `mutation{deleteProjectSpanAnnotations(input:{projectId:"${unknown}",annotationName:"q"}){deletedAnnotationCount}}`,
    );
    assert.equal(errors?.length, 1);
  });
});
