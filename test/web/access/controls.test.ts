import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filesBelow, readText } from '../../house/repository.ts';

/** Mutations whose controls ask for the right of another mutation, which is the same. */
const ASKED_INSTEAD: Readonly<Record<string, string>> = {
  createConfig: 'attachConfig',
  changeConfig: 'assignConfig',
  unassignConfig: 'assignConfig',
  detachConfig: 'attachConfig',
  changeSpanAnnotation: 'addSpanAnnotation',
  removeSpanAnnotation: 'addSpanAnnotation',
  addTraceNote: 'addSpanNote',
  changeTraceAnnotation: 'addTraceAnnotation',
  removeTraceAnnotation: 'addTraceAnnotation',
  addSessionNote: 'addSpanNote',
  changeSessionAnnotation: 'addSessionAnnotation',
  removeSessionAnnotation: 'addSessionAnnotation',
  changeDocumentAnnotation: 'addDocumentAnnotation',
  removeDocumentAnnotation: 'addDocumentAnnotation',
  annotateTraces: 'annotateSpans',
  setMember: 'setPrivacy',
  deleteTraceAnnotationsOfName: 'deleteSpanAnnotationsOfName',
  deleteSessionAnnotationsOfName: 'deleteSpanAnnotationsOfName',
  createCaseDataset: 'addSpanExample',
  rememberSpanMapping: 'addSpanExample',
  saveDatasetSource: 'addSpanExample',
  deleteExperimentRunAnnotation: 'annotateExperimentRun',
  preferExperimentRun: 'annotateExperimentRun',
  deleteExperimentRunPreference: 'annotateExperimentRun',
  // One page has the forms of all kinds of evaluators.
  createBuiltInEvaluator: 'createLlmEvaluator',
  updateBuiltInEvaluator: 'updateLlmEvaluator',
  createCodeEvaluator: 'createLlmEvaluator',
  patchCodeEvaluator: 'updateLlmEvaluator',
  createCodeVersion: 'updateLlmEvaluator',
  bindCodeEvaluator: 'createLlmEvaluator',
  updateCodeBinding: 'updateLlmEvaluator',
  deleteDashboard: 'patchDashboard',
  untagExperiment: 'tagExperiment',
  createPlaygroundVersion: 'createPlaygroundPrompt',
  playgroundVariants: 'playgroundCells',
  resumePlaygroundExperiment: 'playgroundCells',
  // The components of labels and splits ask for the operation of their kind.
  createDatasetLabel: 'setDatasetLabels',
  patchDatasetLabel: 'setDatasetLabels',
  deleteDatasetLabel: 'setDatasetLabels',
  createSplit: 'changeExampleSplits',
  patchSplit: 'changeExampleSplits',
  deleteSplit: 'changeExampleSplits',
  createPromptLabel: 'patchPrompt',
  patchPromptLabel: 'patchPrompt',
  deletePromptLabel: 'patchPrompt',
  addPromptLabels: 'patchPrompt',
  removePromptLabels: 'patchPrompt',
};

/** Rights that a whole page asks for, or that every signed-in user has. */
const OF_PAGES = new Set(['person', 'strictAdmin']);

test('every control that changes data checks the right of the user', () => {
  const files = filesBelow('src/web');
  const rights = new Map(
    files
      .filter((path) => path.includes('/generated/'))
      .flatMap((path) => [...readText(path).matchAll(/name: '(\w+)',\n {2}text: .*\n {2}access: '(\w+)'/g)])
      .map(([, name = '', access = '']) => [name, access] as const),
  );
  const code = files.filter((path) => /\.tsx?$/.test(path) && !path.includes('/generated/')).map(readText);
  const asked = new Set(code.flatMap((text) => [...text.matchAll(/\bmay\((\w+)\)/g)].map(([, name]) => name)));
  const unasked = [...rights].filter(([name, access]) => {
    const instead = ASKED_INSTEAD[name] ?? name;
    return !OF_PAGES.has(access) && !(asked.has(instead) && rights.get(instead) === access);
  });

  assert(rights.size > 40, `${rights.size} mutations`);
  assert.deepEqual(unasked, []);
});
