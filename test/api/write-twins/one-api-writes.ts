import type { NounTwins } from './twins.ts';

const listed = (reason: string, writes: readonly string[]): Record<string, string> =>
  Object.fromEntries(writes.map((write) => [write, reason]));

/** Writes of nouns that only one API can change. */
export const ONE_API: NounTwins = {
  twins: [],
  alone: {
    ...listed('REST has no route for models.', ['createModel', 'updateModel', 'deleteModel']),
    ...listed('REST has no route for providers.', [
      'createGenerativeModelCustomProvider',
      'patchGenerativeModelCustomProvider',
      'deleteGenerativeModelCustomProvider',
    ]),
    ...listed('It calls a model and stores nothing; REST has no route for it.', [
      'testGenerativeModelCustomProviderCredentials',
      'testGenerativeProvider',
      'evaluatorPreviews',
    ]),
    ...listed('REST has no route for retention policies.', [
      'createProjectTraceRetentionPolicy',
      'patchProjectTraceRetentionPolicy',
      'deleteProjectTraceRetentionPolicy',
    ]),
    ...listed('REST has no route for saved views.', ['saveView', 'deleteSavedView']),
    ...listed('REST has no route for dashboards.', ['createDashboard', 'patchDashboard', 'deleteDashboard']),
    ...listed('REST has no route for evaluators.', [
      'createDatasetLlmEvaluator',
      'updateDatasetLlmEvaluator',
      'createDatasetBuiltinEvaluator',
      'updateDatasetBuiltinEvaluator',
      'deleteDatasetEvaluators',
      'deleteEvaluators',
      'createCodeEvaluator',
      'patchCodeEvaluator',
      'createCodeEvaluatorVersion',
      'createDatasetCodeEvaluator',
      'updateDatasetCodeEvaluator',
    ]),
    ...listed('REST has no route for calibrations.', [
      'startCalibration',
      'resumeCalibration',
      'stopCalibration',
      'deleteCalibration',
    ]),
    ...listed('REST has no route for online evaluators.', [
      'createOnlineEvaluator',
      'patchOnlineEvaluator',
      'deleteOnlineEvaluator',
      'startOnlineBackfill',
      'stopOnlineBackfill',
      'retryOnlineItems',
    ]),
    ...listed('REST has no route for sandboxes.', [
      'createSandboxConfig',
      'updateSandboxConfig',
      'deleteSandboxConfig',
      'updateSandboxProvider',
    ]),
    createChatCompletion: 'GraphQL calls models by subscriptions; both store the span by one operation.',
  },
};
