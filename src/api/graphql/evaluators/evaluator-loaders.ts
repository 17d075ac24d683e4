import type { Calibration } from '../../../model/evaluators/calibration.ts';
import type {
  BuiltInEvaluator,
  CodeEvaluator,
  CodeVersion,
  DatasetEvaluator,
  LlmEvaluator,
} from '../../../model/evaluators/evaluator.ts';
import type { EvaluatorAgreement, EvaluatorResults } from '../../../model/evaluators/evaluator-results.ts';
import type { SandboxBackend, SandboxConfig, SandboxProvider } from '../../../model/evaluators/sandbox-config.ts';
import type { Domain } from '../../../domain/domain.ts';
import type { CalibrationReport } from '../../../domain/evaluators/calibration/compare-calibrations.ts';
import type { BatchLoader, NewLoader } from '../execution/batch-loader.ts';

/** Keys are row ids of the loader's noun. */
export interface EvaluatorLoaders {
  readonly llmEvaluators: BatchLoader<number, LlmEvaluator>;
  readonly builtInEvaluators: BatchLoader<number, BuiltInEvaluator>;
  readonly codeEvaluators: BatchLoader<number, CodeEvaluator>;
  readonly codeVersions: BatchLoader<number, CodeVersion>;
  /** Newest first. */
  readonly versionIdsOfCode: BatchLoader<number, number[]>;
  readonly sandboxConfigs: BatchLoader<number, SandboxConfig>;
  readonly sandboxProviders: BatchLoader<SandboxBackend, SandboxProvider>;
  /** Configs of each backend by name. */
  readonly configsOfSandboxes: BatchLoader<SandboxBackend, SandboxConfig[]>;
  readonly datasetEvaluators: BatchLoader<number, DatasetEvaluator>;
  /** Evaluators of each dataset by name. */
  readonly evaluatorsOfDatasets: BatchLoader<number, DatasetEvaluator[]>;
  readonly evaluatorCountsOfDatasets: BatchLoader<number, number>;
  readonly bindingsOfEvaluators: BatchLoader<number, readonly { rowId: number; datasetRowId: number }[]>;
  /** Keys: row ids of bindings, as in the next. */
  readonly resultsOfEvaluators: BatchLoader<number, EvaluatorResults>;
  readonly agreementOfEvaluators: BatchLoader<number, EvaluatorAgreement>;
  /** Row ids of bindings, by name. */
  readonly evaluatorsOfExperiments: BatchLoader<number, number[]>;
  readonly calibrations: BatchLoader<number, Calibration>;
  readonly reportsOfCalibrations: BatchLoader<number, CalibrationReport>;
}

/** Sources may be long. */
const VERSION_COUNT_MAX = 100;
/** Mappings may be long. */
const BINDING_COUNT_MAX = 200;
/** Maximum number of datasets whose bindings are read at once. */
const DATASET_COUNT_MAX = 50;

/** Each has thousands of results. */
const MEASURED_CALIBRATION_COUNT_MAX = 20;

export function createEvaluatorLoaders(
  newLoader: NewLoader,
  { evaluators, sandboxes, calibrations }: Pick<Domain, 'evaluators' | 'sandboxes' | 'calibrations'>,
): EvaluatorLoaders {
  const datasetEvaluators = newLoader<number, DatasetEvaluator>(
    (rowIds) => evaluators.findBound(rowIds),
    BINDING_COUNT_MAX,
  );
  return {
    llmEvaluators: newLoader((rowIds) => evaluators.findLlm(rowIds)),
    builtInEvaluators: newLoader((rowIds) => evaluators.findBuiltIn(rowIds)),
    codeEvaluators: newLoader((rowIds) => evaluators.findCode(rowIds)),
    codeVersions: newLoader((rowIds) => evaluators.findCodeVersions(rowIds), VERSION_COUNT_MAX),
    versionIdsOfCode: newLoader((rowIds) => evaluators.findCodeVersionIds(rowIds)),
    sandboxConfigs: newLoader((rowIds) => sandboxes.findConfigs(rowIds)),
    sandboxProviders: newLoader(async () => {
      const providers = await sandboxes.listProviders();
      return new Map(providers.map((provider) => [provider.backend, provider]));
    }),
    configsOfSandboxes: newLoader((backends) => sandboxes.findConfigsOf(backends)),
    datasetEvaluators,
    evaluatorsOfDatasets: newLoader(async (rowIds) => {
      const found = await evaluators.findOfDatasets(rowIds);
      for (const list of found.values()) for (const one of list) datasetEvaluators.prime(one.rowId, one);
      return found;
    }, DATASET_COUNT_MAX),
    evaluatorCountsOfDatasets: newLoader((rowIds) => evaluators.countOfDatasets(rowIds)),
    bindingsOfEvaluators: newLoader((rowIds) => evaluators.findBindings(rowIds)),
    resultsOfEvaluators: newLoader((rowIds) => evaluators.findRecentResults(rowIds), BINDING_COUNT_MAX),
    agreementOfEvaluators: newLoader((rowIds) => evaluators.measureAgreement(rowIds), BINDING_COUNT_MAX),
    evaluatorsOfExperiments: newLoader((rowIds) => evaluators.findOfExperiments(rowIds)),
    calibrations: newLoader((rowIds) => calibrations.findByRowIds(rowIds)),
    reportsOfCalibrations: newLoader((rowIds) => calibrations.measure(rowIds), MEASURED_CALIBRATION_COUNT_MAX),
  };
}
