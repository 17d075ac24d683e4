import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { NO_BROWSER } from '../browser.ts';
import { bindCode, evaluatorsPath, seedLabelledRuns } from '../evaluators/evaluator-data.ts';
import { openPageServer } from '../page-server.ts';
import { choose, inOrder, press, pressInDialog, until } from './acts.ts';
import { dataClient } from './data-client.ts';
import { checkRejections } from './rejections.ts';

const BIND = `mutation ($input: CreateDatasetBuiltinEvaluatorInput!) {
  createDatasetBuiltinEvaluator(input: $input) { evaluator { id } } }`;
const BIND_LLM = `mutation ($input: CreateDatasetLLMEvaluatorInput!) {
  createDatasetLlmEvaluator(input: $input) { evaluator { id } } }`;
const START = 'mutation ($input: StartCalibrationInput!) { startCalibration(input: $input) { calibration { id } } }';
const STOP = 'mutation ($id: ID!) { stopCalibration(calibrationId: $id) { __typename } }';
const DELETE = 'mutation ($id: ID!) { deleteCalibration(calibrationId: $id) { __typename } }';
const DELETE_EVERYWHERE =
  'mutation ($input: DeleteEvaluatorsInput!) { deleteEvaluators(input: $input) { __typename } }';

const JUDGE = {
  promptVersion: {
    templateFormat: 'MUSTACHE',
    template: { messages: [{ role: 'USER', content: [{ text: { text: '{{output}}' } }] }] },
    invocationParameters: { openai: {} },
    tools: {
      tools: [
        {
          function: {
            name: 'tone',
            parameters: {
              type: 'object',
              properties: { label: { type: 'string', enum: ['good'], description: 'tone' } },
              required: ['label'],
            },
          },
        },
      ],
      toolChoice: { oneOrMore: true },
    },
    ...{ modelProvider: 'OPENAI', modelName: 'gpt-4o' },
  },
  outputConfigs: [{ categorical: { name: 'tone', optimizationDirection: 'NONE', values: [{ label: 'good' }] } }],
  inputMapping: { pathMapping: { output: 'output' }, literalMapping: {} },
};

const fillField = (label: string, text: string) => (page: Page) => page.getByLabel(label).first().fill(text);
const fillSource = async (page: Page) => {
  await page.getByText('ends after 30 s').waitFor();
  await page.getByRole('textbox', { name: 'Source' }).fill('def evaluate(output): return "good"');
  await page.getByLabel('Path of word').waitFor({ state: 'detached' });
};

describe('a rejected change of the forms of evaluators', { skip: NO_BROWSER }, () => {
  test('is reported, and the page continues to work', async (t) => {
    const { url } = await openPageServer(t);
    const other = dataClient(url);
    const { builtInEvaluators } = await other.ask<{ builtInEvaluators: { id: string; name: string }[] }>(
      '{ builtInEvaluators { id name } }',
    );
    const evaluatorId = builtInEvaluators.find(({ name }) => name === 'contains')!.id;
    const datasetId = await seedLabelledRuns(url, [['please', 'good']]);
    const goneId = await other.createDataset('gone');
    const inputMapping = { pathMapping: { text: 'output' }, literalMapping: { words: 'yes' } };
    const bind = async (id: string, name: string) => {
      const { createDatasetBuiltinEvaluator: bound } = await other.ask<{
        createDatasetBuiltinEvaluator: { evaluator: { id: string } };
      }>(BIND, { input: { datasetId: id, evaluatorId, name, inputMapping } });
      return bound.evaluator.id;
    };
    await bind(datasetId, 'says');
    const goneBinding = await bind(goneId, 'says');
    const { createDatasetLlmEvaluator: judge } = await other.ask<{
      createDatasetLlmEvaluator: { evaluator: { id: string } };
    }>(BIND_LLM, { input: { ...JUDGE, datasetId, name: 'tone' } });
    const codeId = await bindCode(url, datasetId);
    const loopId = await bindCode(url, datasetId, 'loop', 'def evaluate(output):\n    while True: pass');
    const start = async (datasetEvaluatorId: string) => {
      const input = { datasetEvaluatorId, source: { datasetId }, annotationName: 'quality', heldOutShare: 0 };
      return (await other.ask<{ startCalibration: { calibration: { id: string } } }>(START, { input })).startCalibration
        .calibration.id;
    };
    const path = (...rest: string[]) => evaluatorsPath(datasetId, ...rest);
    let running = '';
    const deleted = await start(codeId);
    const save = press('Save evaluator');

    await checkRejections(t, url, [
      {
        mutation: 'createBuiltInEvaluator',
        at: `${path('new', 'built-in')}?evaluator=contains`,
        open: inOrder(fillField('Name', 'says'), fillField('Value of words', 'yes')),
        beforeSubmit: 'nothing',
        submit: press('Add evaluator'),
      },
      {
        mutation: 'updateBuiltInEvaluator',
        at: evaluatorsPath(goneId, goneBinding, 'edit'),
        open: until('A match gets the first label.'),
        beforeSubmit: () => other.deleteDataset(goneId),
        submit: save,
      },
      {
        mutation: 'createLlmEvaluator',
        at: path('new', 'llm'),
        open: fillField('Name', 'tone'),
        beforeSubmit: 'nothing',
        submit: press('Add evaluator'),
      },
      {
        mutation: 'updateLlmEvaluator',
        at: path(judge.evaluator.id, 'edit'),
        open: fillField('Name', 'says'),
        beforeSubmit: 'nothing',
        submit: save,
      },
      {
        mutation: 'testEvaluator',
        at: path(codeId, 'edit'),
        open: until('ends after 30 s'),
        beforeSubmit: 'offline',
        submit: press('Test'),
      },
      {
        mutation: 'createCodeEvaluator',
        at: path('new', 'code'),
        open: inOrder(until('ends after 30 s'), fillField('Name', 'contains')),
        beforeSubmit: 'nothing',
        submit: press('Add evaluator'),
      },
      {
        mutation: 'bindCodeEvaluator',
        at: path('new', 'code'),
        open: inOrder(until('ends after 30 s'), fillField('Name', 'match')),
        beforeSubmit: 'offline',
        submit: press('Add evaluator'),
      },
      {
        mutation: 'createCodeVersion',
        at: path(codeId, 'edit'),
        open: fillSource,
        beforeSubmit: 'offline',
        submit: save,
      },
      {
        mutation: 'patchCodeEvaluator',
        at: path(codeId, 'edit'),
        open: until('ends after 30 s'),
        beforeSubmit: 'offline',
        submit: save,
      },
      {
        mutation: 'updateCodeBinding',
        at: path(codeId, 'edit'),
        open: inOrder(until('ends after 30 s'), fillField('Name', 'says')),
        beforeSubmit: 'nothing',
        submit: save,
      },
      {
        mutation: 'startCalibration',
        at: path(codeId, 'calibration'),
        open: inOrder(press('New calibration'), until('1 labelled')),
        beforeSubmit: 'offline',
        submit: pressInDialog('Start calibration'),
      },
      {
        mutation: 'deleteCalibration',
        at: path(codeId, 'calibration'),
        open: press('Delete calibration'),
        beforeSubmit: () => other.ask(DELETE, { id: deleted }),
        submit: pressInDialog('Delete calibration'),
      },
      {
        mutation: 'stopCalibration',
        at: async () => {
          running = await start(loopId);
          return path(loopId, 'calibration');
        },
        open: until('Running'),
        beforeSubmit: 'offline',
        submit: press('Stop'),
      },
      {
        mutation: 'resumeCalibration',
        at: async () => {
          await other.ask(STOP, { id: running });
          return path(loopId, 'calibration');
        },
        open: until('Stopped'),
        // The page reads calibrations again by itself, and would not show a deleted one.
        beforeSubmit: 'offline',
        submit: press('Resume'),
      },
      {
        mutation: 'deleteEvaluators',
        at: '/evaluators',
        open: choose('Actions for all uses of loop', 'Delete everywhere'),
        beforeSubmit: async () => {
          const { evaluators } = await other.ask<{ evaluators: { edges: { node: { id: string; name: string } }[] } }>(
            '{ evaluators(first: 50) { edges { node { id name } } } }',
          );
          const { node } = evaluators.edges.find((edge) => edge.node.name === 'loop')!;
          await other.ask(DELETE_EVERYWHERE, { input: { evaluatorIds: [node.id] } });
        },
        submit: pressInDialog('Delete evaluator'),
      },
    ]);
  });
});
