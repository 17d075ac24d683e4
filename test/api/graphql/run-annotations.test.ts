import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { cleanUpAfter } from '../../metadata-store/fixtures.ts';
import { toGlobalId } from '../../../src/api/contract/global-id.ts';
import { type Client, openSignedInServer, type SignedInServer } from '../access/signed-in-server.ts';
import { experimentFixtures } from './experiment-fixtures.ts';

const ANNOTATE = `mutation ($input: AnnotateExperimentRunInput!) { annotateExperimentRun(input: $input) { id } }`;
const DELETE = `mutation ($runId: ID!, $name: String!) { deleteExperimentRunAnnotation(runId: $runId, name: $name) { id } }`;
const PREFER = `mutation ($input: PreferExperimentRunInput!) {
  preferExperimentRun(input: $input) { preferredRunId runs { id } } }`;
const ROWS = `query ($input: ExperimentComparisonRowsInput!) { experimentComparisonRows(input: $input) { rows {
  position preferences { runIds preferredRunId explanation isMine author }
  cells { runs { scores { name score label explanation annotatorKind difference isMine author } } } } } }`;
const OF_RUN = `query ($id: ID!) { node(id: $id) { ... on ExperimentRun {
  personAnnotations { name score label explanation isMine author } } } }`;
const SUMMARY = `query ($input: ExperimentComparisonInput!) { experimentComparison(input: $input) {
  measures { key name values { count mean difference { mean wins losses } } }
  preferences { experimentIds wins losses ties winRate low high sentence } } }`;

// biome-ignore lint/suspicious/noExplicitAny: a response of the API
type Response = any;

describe('annotations of people on runs of experiments', () => {
  let server: SignedInServer;
  let ann: Client;
  let ben: Client;
  let benId: string;
  let viewer: Client;
  let experimentIds: string[];
  /** Runs by experiment and example. */
  let runs: string[][];
  const cleanUp = cleanUpAfter(after);

  before(async () => {
    server = await openSignedInServer({ after: cleanUp });
    const fixtures = experimentFixtures(server.ports);
    const dataset = await fixtures.createDataset(3);
    const made = await Promise.all(
      ['base', 'other', 'third'].map((name, index) =>
        fixtures.createExperiment(
          dataset,
          name,
          [0, 1, 2].map((example) => ({ example, ms: 1, score: index / 2 })),
        ),
      ),
    );
    experimentIds = made.map((rowId) => toGlobalId('Experiment', rowId));
    runs = await Promise.all(
      made.map(async (rowId) =>
        (await server.ports.experiments.findComparedRuns([rowId], dataset.exampleIds)).map((run) =>
          toGlobalId('ExperimentRun', run.rowId),
        ),
      ),
    );
    const signedIn = async (name: string, role: 'MEMBER' | 'VIEWER') => {
      const user = await server.newUser(name, role);
      return { client: server.as({ bearer: user.access }), id: user.id };
    };
    ann = (await signedIn('ann', 'MEMBER')).client;
    ({ client: ben, id: benId } = await signedIn('ben', 'MEMBER'));
    viewer = (await signedIn('viv', 'VIEWER')).client;
  });

  const ask = async (client: Client, document: string, variables: object): Promise<Response> => {
    const { data, errors } = await client.graphql(document, variables);
    assert.deepEqual(errors, []);
    return data;
  };
  const errorOf = async (client: Client, document: string, variables: object) =>
    (await client.graphql(document, variables)).errors[0] ?? '';
  const rowsOf = async (client: Client, filter: object = {}) =>
    (await ask(client, ROWS, { input: { experimentIds, filter } })).experimentComparisonRows.rows;
  const summaryOf = async (client: Client) =>
    (await ask(client, SUMMARY, { input: { experimentIds } })).experimentComparison;

  test('each person has an annotation of a name, which they replace and delete, beside that of the evaluator', async () => {
    const annotate = (client: Client, fields: object) =>
      ask(client, ANNOTATE, { input: { runId: runs[1]![0], name: 'accuracy', ...fields } });
    await annotate(ann, { score: 0 });
    await annotate(ann, { score: 1, label: 'good', explanation: '<b>why</b>' });
    await annotate(ben, { score: 0 });
    const [row] = await rowsOf(ann);
    const evaluated = {
      name: 'accuracy',
      label: null,
      explanation: null,
      difference: 0.5,
      isMine: false,
      author: null,
    };
    assert.deepEqual(row.cells[1].runs[0].scores, [
      { ...evaluated, score: 0.5, annotatorKind: 'CODE' },
      {
        ...{ name: 'accuracy', score: 1, label: 'good', explanation: '<b>why</b>', annotatorKind: 'HUMAN' },
        ...{ difference: null, isMine: true, author: 'ann' },
      },
      { ...evaluated, score: 0, annotatorKind: 'HUMAN', difference: null, author: 'ben' },
    ]);
    const { node } = await ask(ben, OF_RUN, { id: runs[1]![0] });
    const { annotatorKind: _, difference: __, ...own } = { ...evaluated, score: 0, annotatorKind: '' };
    assert.deepEqual(node.personAnnotations, [
      { name: 'accuracy', score: 1, label: 'good', explanation: '<b>why</b>', isMine: false, author: 'ann' },
      { ...own, isMine: true, author: 'ben' },
    ]);
    assert.deepEqual(
      (await rowsOf(viewer, { disagreeOn: 'accuracy' })).map(({ position }: Response) => position),
      [0],
    );
    const measure = (await summaryOf(viewer)).measures.find(({ key }: Response) => key === 'human:accuracy');
    assert.equal(measure.name, 'accuracy (people)');
    assert.deepEqual([measure.values[1].count, measure.values[1].mean], [1, 0.5]);

    await ask(ben, DELETE, { runId: runs[1]![0], name: 'accuracy' });
    await ask(ben, DELETE, { runId: runs[1]![0], name: 'accuracy' });
    assert.equal((await rowsOf(ann))[0].cells[1].runs[0].scores.length, 2);
    // The evaluation of the public contract is as it was.
    const { json } = await ann.call('GET', `/v1/experiments/${experimentIds[1]}/json`);
    assert.deepEqual(
      (json as Response)[0].annotations.map(({ score }: Response) => score),
      [0.5],
    );
  });

  test('preferences have a win rate with its interval for each pair of experiments', async () => {
    const prefer = (client: Client, example: number, preferred: number | null, pair: [number, number] = [0, 1]) =>
      ask(client, PREFER, {
        input: {
          runIds: pair.map((experiment) => runs[experiment]![example]!),
          preferredRunId: preferred === null ? null : runs[preferred]![example]!,
        },
      });
    await prefer(ann, 0, 0);
    await prefer(ann, 0, 1);
    await prefer(ann, 1, 1);
    await prefer(ann, 2, null);
    await prefer(ben, 0, 1);
    await prefer(ben, 1, 0);
    await prefer(ben, 2, 2, [2, 1]);
    const { preferences } = await summaryOf(viewer);
    assert.deepEqual(
      preferences.map(({ experimentIds: ids, wins, losses, ties, winRate }: Response) => ({
        ...{ pair: ids.map((id: string) => experimentIds.indexOf(id)), wins, losses, ties, winRate },
      })),
      [
        { pair: [1, 0], wins: 3, losses: 1, ties: 1, winRate: 0.75 },
        { pair: [2, 1], wins: 1, losses: 0, ties: 0, winRate: 1 },
      ],
    );
    // The Wilson interval of 3 of 4.
    assert.ok(Math.abs(preferences[0].low - 0.3006) < 1e-3 && Math.abs(preferences[0].high - 0.9544) < 1e-3);
    assert.equal(
      preferences[0].sentence,
      'no clear preference: “other” wins 75 % of 4 decided preferences (30 to 95 %) against “base”; 1 tie',
    );
    const withdraw = 'mutation ($runIds: [ID!]!) { deleteExperimentRunPreference(runIds: $runIds) { runs { id } } }';
    const ofThird = { runIds: [runs[1]![2]!, runs[0]![2]!] };
    await ask(ben, withdraw, ofThird);
    assert.equal((await rowsOf(ann))[2].preferences.length, 2, 'those of others stay');
    for (let time = 0; time < 2; time++) {
      const { deleteExperimentRunPreference: deleted } = await ask(ann, withdraw, ofThird);
      assert.deepEqual(
        deleted.runs.map(({ id }: Response) => id),
        ofThird.runIds,
      );
    }
    assert.equal((await rowsOf(ann))[2].preferences.length, 1);
    const [row] = await rowsOf(ben);
    assert.deepEqual(
      row.preferences.map(({ preferredRunId, isMine, author }: Response) => [preferredRunId, isMine, author]),
      [
        [runs[1]![0], false, 'ann'],
        [runs[1]![0], true, 'ben'],
      ],
    );
  });

  test('a viewer writes none, and an invalid one reports the expected value', async () => {
    const input = { runId: runs[0]![0], name: 'n', score: 1 };
    assert.match(await errorOf(viewer, ANNOTATE, { input }), /Viewers cannot perform this action/);
    assert.match(await errorOf(ann, ANNOTATE, { input: { ...input, score: null } }), /needs a score, a label/);
    assert.match(await errorOf(ann, ANNOTATE, { input: { ...input, name: ' ' } }), /must not be empty/);
    assert.match(
      await errorOf(ann, ANNOTATE, { input: { ...input, runId: toGlobalId('ExperimentRun', 999_999) } }),
      /not found/,
    );
    const between = (runIds: unknown[], preferredRunId: unknown = null) =>
      errorOf(ann, PREFER, { input: { runIds, preferredRunId } });
    assert.match(await between([runs[0]![0], runs[0]![0]]), /between two runs, but received 1/);
    assert.match(await between([runs[0]![0], runs[0]![1]]), /of the same example/);
    assert.match(await between([runs[0]![0], runs[1]![1]]), /of the same example/);
    assert.match(await between([runs[0]![0], runs[1]![0]], runs[2]![0]), /one of the two runs/);
    assert.match(await between([runs[0]![0], toGlobalId('ExperimentRun', 999_999)]), /not found/);
  });

  test('those of a deleted user stay without a name', async () => {
    await ask(ben, ANNOTATE, { input: { runId: runs[2]![1], name: 'tone', label: 'friendly' } });
    assert.equal((await server.admin.call('DELETE', `/v1/users/${benId}`)).status, 204);
    const rows = await rowsOf(ann);
    const found = rows[1].cells[2].runs[0].scores.find(({ name }: Response) => name === 'tone');
    assert.deepEqual([found.label, found.author, found.isMine], ['friendly', null, false]);
    assert.equal((await summaryOf(ann)).preferences[0].wins, 3);
  });
});
