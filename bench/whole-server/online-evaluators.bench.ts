/**
 * What does an online evaluator on a tenth of the traces cost the acknowledgement of spans, and how long after its start is a
 * span annotated?
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { isSampled } from '../../src/domain/online-evaluators/select-targets.ts';
import { measureProcessTree } from '../../test/e2e/process-tree.ts';
import { type BenchServer, measureVisibleMs, withServer } from './bench-server.ts';
import { startLoad } from './load-generator.ts';
import { count, isSmoke, LatencyRecorder, ms, printTable, ratio, size } from './measure.ts';

const SHARE = 0.1;
const SECONDS = size('SECONDS', { smoke: 0.5, full: 30 });
const RATE = size('RATE', { smoke: 200, full: 1_000 });
/** Rounds with and without an evaluator alternate, because the machine is not equally fast all the time. */
const ROUNDS = size('ROUNDS', { smoke: 1, full: 3 });

async function ask<Data>(server: BenchServer, query: string, variables: object = {}): Promise<Data> {
  const response = await fetch(`${server.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors } = (await response.json()) as { data: Data; errors?: unknown };
  if (errors) throw new Error(JSON.stringify(errors));
  return data;
}

/** Annotates every span of a tenth of the traces. */
async function addEvaluator(server: BenchServer, project: string): Promise<void> {
  const { builtInEvaluators, getProjectByName } = await ask<{
    builtInEvaluators: { id: string; name: string }[];
    getProjectByName: { id: string };
  }>(server, `{builtInEvaluators {id name} getProjectByName(name: "${project}") {id}}`);
  await ask(server, 'mutation ($input: CreateOnlineEvaluatorInput!) {createOnlineEvaluator(input: $input) {id}}', {
    input: {
      projectId: getProjectByName.id,
      evaluatorId: builtInEvaluators.find(({ name }) => name === 'contains')?.id,
      name: 'bench',
      samplingRate: SHARE,
      inputMapping: { pathMapping: { text: '$.output' }, literalMapping: { words: 'the,and' } },
    },
  });
}

/** Sends a span of a sampled trace every 200 ms. `stop` returns the times from before the request to the annotation. */
function probe(server: BenchServer, project: string): { stop(): Promise<LatencyRecorder> } {
  const sent = new Map<string, number>();
  let isStopped = false;
  const sending = (async () => {
    while (!isStopped) {
      const traceId = newSampledTraceId();
      const spanId = traceId.slice(16);
      sent.set(spanId, Date.now());
      const now = new Date().toISOString();
      const span = { name: PROBE, context: { trace_id: traceId, span_id: spanId }, span_kind: 'CHAIN' };
      await fetch(`${server.url}/v1/projects/${project}/spans`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          data: [{ ...span, start_time: now, end_time: now, status_code: 'OK', attributes: { 'output.value': 'and' } }],
        }),
      });
      await sleep(200);
    }
  })();
  return {
    async stop() {
      isStopped = true;
      await sending;
      await sleep(isSmoke ? 2_000 : 10_000);
      const lags = new LatencyRecorder();
      const { project: found } = await ask<Annotated>(
        server,
        `{project: getProjectByName(name: "${project}") {spans(first: 1000, filterCondition: "name == '${PROBE}'")
          {edges {node {spanId spanAnnotations {createdAt}}}}}}`,
      );
      for (const { node } of found.spans.edges) {
        const sentAt = sent.get(node.spanId);
        const annotatedAt = node.spanAnnotations[0]?.createdAt;
        if (sentAt !== undefined && annotatedAt !== undefined) lags.add(Date.parse(annotatedAt) - sentAt);
      }
      if (lags.count < sent.size) throw new Error(`${lags.count} of ${sent.size} probes were annotated`);
      return lags;
    },
  };
}

const PROBE = 'probe';

function newSampledTraceId(): string {
  for (;;) {
    const traceId = randomBytes(16).toString('hex');
    if (isSampled(traceId, SHARE)) return traceId;
  }
}

interface Annotated {
  readonly project: {
    readonly spans: {
      readonly edges: readonly {
        readonly node: { readonly spanId: string; readonly spanAnnotations: readonly { readonly createdAt: string }[] };
      }[];
    };
  };
}

const rows: Record<string, string>[] = [];
const p99s: Record<'none' | 'one', number[]> = { none: [], one: [] };
for (let round = 0; round < ROUNDS; round++) {
  for (const evaluators of round % 2 === 0 ? (['none', 'one'] as const) : (['one', 'none'] as const)) {
    await withServer(async (server) => {
      const project = 'online';
      await measureVisibleMs(server, project);
      if (evaluators === 'one') await addEvaluator(server, project);
      const cpuBefore = measureProcessTree(server.pid).cpuSeconds;
      const load = startLoad({
        transport: 'http',
        target: server.url,
        project,
        seconds: SECONDS,
        concurrency: isSmoke ? 2 : 8,
        spansPerSecond: RATE,
      });
      await load.started;
      const probes = evaluators === 'one' ? probe(server, project) : undefined;
      const result = await load.result;
      const cpuSeconds = measureProcessTree(server.pid).cpuSeconds - cpuBefore;
      const lags = (await probes?.stop())?.summary();
      p99s[evaluators].push(result.ackMs.p99);
      rows.push({
        evaluators,
        'offered spans/s': count(RATE),
        'acknowledged/s': count(result.spansPerSecond),
        'ack p50 ms': ms(result.ackMs.p50),
        'ack p99 ms': ms(result.ackMs.p99),
        'CPU s': cpuSeconds.toFixed(1),
        'annotated after p50 ms': lags ? ms(lags.p50) : '',
        'p99 ms': lags ? ms(lags.p99) : '',
      });
    });
  }
}
printTable(`Spans with and without an online evaluator on a tenth of the traces, ${SECONDS} s each`, rows);
const median = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
console.log(`Median p99 with an evaluator: ${ratio(median(p99s.one) / median(p99s.none))} that without`);
