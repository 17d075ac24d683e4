import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { cleanUpAfter } from '../../metadata-store/fixtures.ts';
import { ask, type UserClient } from '../access/author-server.ts';
import { mapping } from '../graphql/evaluator-fixtures.ts';
import { CREATE_BUILT_IN } from '../graphql/evaluator-server.ts';
import { MARKER, openPrivateServer, type PrivateServer } from './private-server.ts';

const START = 'mutation ($input: StartCalibrationInput!) { startCalibration(input: $input) { calibration { id } } }';
const READ = `query ($id: ID!) { node(id: $id) { ... on Calibration { status reason target all { targetCount evaluatedCount }
  items(first: 10) { edges { node { humanLabel judgeLabel error explanation traceId target { __typename } } } } } } }`;
const LIST = `query ($id: ID!) { node(id: $id) { ... on DatasetEvaluator { calibrations { edges { node { id } } } } } }`;

let server: PrivateServer;
let evaluatorId: string;
const cleanUp = cleanUpAfter(after);
before(async () => {
  server = await openPrivateServer({ after: cleanUp });
  const { builtInEvaluators } = await ask(server.owner, '{ builtInEvaluators { id name } }');
  const contains = builtInEvaluators.find(({ name }: { name: string }) => name === 'contains').id;
  const input = { datasetId: server.shared.dataset, evaluatorId: contains, name: 'found', inputMapping: mapping({}) };
  evaluatorId = (await ask(server.owner, CREATE_BUILT_IN, { input })).createDatasetBuiltinEvaluator.evaluator.id;
});

const orderOf = (projectId: string, target: string, marker: string, paths: object) => ({
  ...{ datasetEvaluatorId: evaluatorId, annotationName: `quality-${marker}` },
  source: { project: { projectId, target } },
  inputMapping: mapping(paths, { words: marker }),
});

async function calibrate(by: UserClient, input: object) {
  const { id } = (await ask(by, START, { input })).startCalibration.calibration;
  for (;;) {
    const { node } = await ask(by, READ, { id });
    if (node.status !== 'RUNNING') return { id, ...node };
    await sleep(5);
  }
}

/** The message of every error. */
async function refusal(by: UserClient, text: string, variables: object): Promise<string> {
  const { errors } = await by.graphql(text, variables);
  assert.equal(new Set(errors).size, 1, JSON.stringify(errors));
  return errors[0]!;
}

describe('a calibration on a private project', () => {
  test('reads spans, traces and sessions for its members, and has no traces, which are open', async () => {
    for (const [target, paths] of [
      ['SPAN', { text: '$.output' }],
      ['TRACE', { text: '$.metadata.spans[0].name' }],
      ['SESSION', { text: '$.metadata.conversation[*].content' }],
    ] as const) {
      const found = await calibrate(server.owner, orderOf(server.private.project, target, MARKER, paths));
      assert.deepEqual(
        [found.status, found.target, found.all],
        ['COMPLETED', target, { targetCount: 1, evaluatedCount: 1 }],
      );
      const [{ node }] = found.items.edges;
      assert.deepEqual([node.error, node.judgeLabel, node.humanLabel], [null, 'true', `label-${MARKER}`]);
      assert.deepEqual([node.traceId, node.target.__typename === 'ProjectSession'], [null, target === 'SESSION']);
    }
  });

  test('does not exist for others, who cannot start one either', async () => {
    const order = orderOf(server.private.project, 'SPAN', MARKER, { text: '$.output' });
    const { id } = await calibrate(server.owner, order);
    const open = await calibrate(server.owner, orderOf(server.open.project, 'SPAN', 'visible', { text: '$.output' }));
    assert.notEqual(open.items.edges[0].node.traceId, null);
    const { node } = await ask(server.stranger, LIST, { id: evaluatorId });
    assert.deepEqual(
      node.calibrations.edges.map((edge: { node: { id: string } }) => edge.node.id),
      [open.id],
    );
    const unknown = Buffer.from('Calibration:999').toString('base64');
    const asUnknown = async (text: string, toVariables: (calibrationId: string) => object) => {
      const hidden = await refusal(server.stranger, text, toVariables(id));
      assert.equal(hidden, (await refusal(server.stranger, text, toVariables(unknown))).replaceAll(unknown, id));
    };
    await asUnknown(READ, (calibrationId) => ({ id: calibrationId }));
    for (const name of ['stopCalibration', 'deleteCalibration']) {
      await asUnknown(`mutation ($id: ID!) { ${name}(calibrationId: $id) { __typename } }`, (calibrationId) => ({
        id: calibrationId,
      }));
    }
    await asUnknown(
      'mutation ($id: ID!) { resumeCalibration(input: { calibrationId: $id }) { __typename } }',
      (calibrationId) => ({ id: calibrationId }),
    );
    await asUnknown(
      `query ($ids: [ID!]!) { compareCalibrations(calibrationIds: $ids) { commonCount } }`,
      (calibrationId) => ({ ids: [open.id, calibrationId] }),
    );
    const started = await refusal(server.stranger, START, { input: order });
    const onUnknown = orderOf(server.unknown.project, 'SPAN', MARKER, { text: '$.output' });
    assert.equal(
      started.replaceAll(server.private.project, ''),
      (await refusal(server.stranger, START, { input: onUnknown })).replaceAll(server.unknown.project, ''),
    );
    assert.ok(!started.includes(MARKER));
    assert.equal((await ask(server.owner, READ, { id })).node.status, 'COMPLETED');
  });
});
