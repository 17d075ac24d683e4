import { readFileSync } from 'node:fs';
import { getIntrospectionQuery } from 'graphql';
import { PAGE_ROW_COUNT_MAX } from '../../src/model/limits/reads.ts';

/** A request of a hostile client that tries to stop the server. */
export interface HostileRequest {
  readonly what: string;
  readonly path: string;
  readonly method: 'GET' | 'POST';
  readonly body?: string;
}

const FIELDS = 'name spanId startTime endTime latencyMs statusCode spanKind parentId cumulativeTokenCountTotal';
const repeated = <Item>(item: Item, count: number): Item[] => Array.from({ length: count }, () => item);
const joined = (count: number, toText: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => toText(index)).join(' ');

/** @param scale Share of the full size. */
export function hostileRequests(projectId: string, project: string, scale: number): HostileRequest[] {
  const many = (count: number) => Math.max(2, Math.round(count * scale));
  const graphql = (what: string, query: string, variables: object = {}): HostileRequest => ({
    what,
    path: '/graphql',
    method: 'POST',
    body: JSON.stringify({ query, variables }),
  });
  const ids = (count: number) => ({ ids: repeated(projectId, many(count)) });
  const spansOfNodes = `query($ids: [ID!]!) {nodes(ids: $ids) {... on Project {spans(first: 1000) {edges {node {${FIELDS}}}}}}}`;
  const onProject = (fields: string) => `query($id: ID!) {node(id: $id) {... on Project {${fields}}}}`;
  const id = { id: projectId };
  const deepFilter = `${'('.repeat(90)}${repeated("name == 'x'", many(900)).join(' or ')}${')'.repeat(90)}`;
  let chain = FIELDS;
  for (let level = 0; level < 6; level++) chain = `${FIELDS} trace {rootSpan {${chain}}}`;
  let evaluators = 'name';
  for (let level = 0; level < 7; level++) evaluators = `name datasetEvaluators {id evaluator {${evaluators}}}`;
  const doubled = `${joined(12, (index) => `fragment F${index} on Query {...F${index + 1} a${index}: node(id: "x") {id} ...F${index + 1}}`)} fragment F12 on Query {projectCount}`;
  const week = { timeRange: { start: '2020-01-01T00:00:00Z', end: '2020-02-01T00:00:00Z' } };
  const rest = (what: string, query: string): HostileRequest => ({
    what: `REST: ${what}`,
    path: `/v1/projects/${project}/${query}`,
    method: 'GET',
  });
  return [
    graphql('one id 20,000 times, each with spans', spansOfNodes, ids(20_000)),
    graphql('one id 200,000 times', spansOfNodes, ids(200_000)),
    graphql('one id 1,000 times, each with a page', spansOfNodes, ids(1_000)),
    graphql(
      'one id 1,000 times, each with 20 spans',
      `query($ids: [ID!]!) {nodes(ids: $ids) {... on Project {spans(first: 20) {edges {node {${FIELDS}}}}}}}`,
      ids(1_000),
    ),
    graphql(
      'one id 1,000 times, 45 fields of each',
      `query($ids: [ID!]!) {nodes(ids: $ids) {... on Project {${joined(45, (index) => `a${index}: name`)}}}}`,
      ids(1_000),
    ),
    graphql(
      'spans of traces of spans',
      onProject(
        'spans(first: 1000) {edges {node {trace {spans(first: 1000) {edges {node {trace {spans(first: 1000) {edges {cursor}}}}}}}}}}',
      ),
      id,
    ),
    graphql(
      'spans of traces, few each',
      onProject(`spans(first: 200) {edges {node {trace {spans(first: 50) {edges {node {${FIELDS}}}}}}}}`),
      id,
    ),
    graphql(
      'spans with all that they have',
      onProject(
        `spans(first: 1000) {edges {node {${FIELDS} attributes metadata events {name} input {value} output {value} spanAnnotations {name} descendants(first: 1) {edges {node {name}}} costSummary {total {cost}}}}}`,
      ),
      id,
    ),
    graphql(
      'descendants of every span',
      onProject('spans(first: 1000) {edges {node {descendants(first: 5, maxDepth: 0) {edges {node {name}}}}}}'),
      id,
    ),
    graphql(
      '50 aliases of filtered figures',
      onProject(
        joined(
          many(49),
          (index) => `a${index}: recordCount(filterCondition: "name == 'x${index}' or latency_ms > ${index}")`,
        ),
      ),
      id,
    ),
    graphql(
      'series of 45,000 minutes, 49 times',
      `query($id: ID!, $timeRange: TimeRange!) {node(id: $id) {... on Project {${joined(many(49), (index) => `a${index}: spanCountTimeSeries(timeRange: $timeRange, timeBinConfig: {scale: MINUTE}) {data {timestamp totalCount}}`)}}}}`,
      { ...id, ...week },
    ),
    graphql('fragments that double', `{...F0} ${doubled}`),
    graphql(
      'a trace of its root of its trace, 6 aliases',
      `{${joined(6, (index) => `a${index}: getSpanByOtelId(spanId: "${index}") {${chain}}`)}}`,
    ),
    graphql('interfaces inside each other', `{node(id: "x") {... on DatasetEvaluator {evaluator {${evaluators}}}}}`),
    graphql('a field 490 times', `{${joined(many(490), () => 'projectCount')}}`),
    graphql('a nested field 120 times', `{${joined(many(120), () => 'projects {edges {node {id}}}')}}`),
    graphql(
      '1,000 nodes that are not there',
      'query($ids: [ID!]!) {nodes(ids: $ids) {... on Project {name createdAt updatedAt description}}}',
      {
        ids: Array.from({ length: many(1_000) }, (_, index) =>
          Buffer.from(`Project:${index + 5_000}`).toString('base64'),
        ),
      },
    ),
    graphql('7 MB of ids', 'query($ids: [ID!]!) {nodes(ids: $ids) {id}}', ids(400_000)),
    graphql('an undeclared variable', '{projectCount}', { x: repeated([[]], many(400_000)) }),
    graphql('a document of 7 MB', `{projectCount} #${'x'.repeat(many(7_000_000))}`),
    graphql('introspection', getIntrospectionQuery({ inputValueDeprecation: true })),
    graphql(
      'introspection, 40 times',
      `{${joined(40, (index) => `a${index}: __schema {types {name fields {name args {name} type {name kind ofType {name}}}}}`)}}`,
    ),
    graphql(
      'a deep filter',
      onProject('spans(first: 1000, filterCondition: $filter) {edges {cursor}}').replace(
        '$id: ID!',
        '$id: ID!, $filter: String!',
      ),
      { ...id, filter: deepFilter },
    ),
    graphql(
      'a deep filter, 49 times',
      onProject(joined(49, (index) => `a${index}: recordCount(filterCondition: $filter)`)).replace(
        '$id: ID!',
        '$id: ID!, $filter: String!',
      ),
      { ...id, filter: deepFilter },
    ),
    {
      what: 'a batch of documents',
      path: '/graphql',
      method: 'POST',
      body: JSON.stringify(repeated({ query: '{projectCount}' }, many(10_000))),
    },
    graphql('a subscription', 'subscription {projects {edges {cursor}}}'),
    rest(
      '1,000 trace ids',
      `spans?limit=${PAGE_ROW_COUNT_MAX}&${repeated(`trace_id=${'a'.repeat(32)}`, many(1_000)).join('&')}`,
    ),
    rest('the largest page of spans', 'spans?limit=1000'),
    rest('the largest page of OTLP', 'spans/otlpv1?limit=1000'),
    rest('the largest page of traces with spans', 'traces?limit=1000&include_spans=true'),
    rest('a limit of a billion', 'spans?limit=1000000000'),
    rest(
      '1,000 span ids of annotations',
      `span_annotations?limit=10000&${repeated(`span_ids=${'a'.repeat(16)}`, many(1_000)).join('&')}`,
    ),
    rest('attributes that nothing has', `spans?limit=1000&${repeated('attribute=no.such:1', many(100)).join('&')}`),
  ];
}

/** Resident memory of a process in bytes, without its child processes. */
export const residentBytes = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? Number.NaN) * 1_024;
