import { type ErrorCode, SpandrelError } from './errors.ts';
import { ERROR_ROW_COUNT_MAX } from './limits/datasets.ts';

/** Kinds of rows that callers can name. */
export type RowKind =
  | 'Project'
  | 'Trace'
  | 'Span'
  | 'ProjectSession'
  | 'ProjectTraceRetentionPolicy'
  | 'User'
  | 'UserRole'
  | 'UserApiKey'
  | 'SystemApiKey'
  | 'UserSession'
  | 'OAuth2Grant'
  | 'UserIdentity'
  | 'AuditEntry'
  | 'GenerativeModel'
  | 'GenerativeModelCustomProvider'
  | 'SpanAnnotation'
  | 'TraceAnnotation'
  | 'ProjectSessionAnnotation'
  | 'DocumentAnnotation'
  | 'CategoricalAnnotationConfig'
  | 'ContinuousAnnotationConfig'
  | 'FreeformAnnotationConfig'
  | 'Dataset'
  | 'DatasetVersion'
  | 'DatasetExample'
  | 'DatasetExampleRevision'
  | 'DatasetSplit'
  | 'DatasetLabel'
  | 'DatasetSource'
  | 'Evaluator'
  | 'CodeEvaluator'
  | 'CodeEvaluatorVersion'
  | 'SandboxConfig'
  | 'OnlineEvaluator'
  | 'Experiment'
  | 'ExperimentRun'
  | 'ExperimentJob'
  | 'ExperimentLog'
  | 'PromptTaskConfig'
  | 'ExperimentEvaluation'
  | 'ExperimentRunAnnotation'
  | 'ExperimentTag'
  | 'ExperimentNote'
  | 'Prompt'
  | 'PromptVersion'
  | 'PromptVersionTag'
  | 'PromptLabel'
  | 'LLMEvaluator'
  | 'BuiltInEvaluator'
  | 'DatasetEvaluator'
  | 'Calibration'
  | 'CalibrationItem'
  | 'SavedView'
  | 'Dashboard';

/**
 * An expected error whose message names rows. Only API layers know the IDs of rows outside of the server, so below them the
 * message has row ids, and an API layer replaces them.
 */
export class RowError extends SpandrelError {
  readonly type: RowKind;
  /** At most `ERROR_ROW_COUNT_MAX` of the rows. */
  readonly rowIds: readonly number[];
  readonly describe: (ids: string) => string;

  /** @param describe Makes the message of a comma-separated list of IDs. */
  constructor(code: ErrorCode, type: RowKind, rowIds: readonly number[], describe: (ids: string) => string) {
    const shown = rowIds.slice(0, ERROR_ROW_COUNT_MAX);
    super(code, describe(shown.join(', ')));
    this.type = type;
    this.rowIds = shown;
    this.describe = describe;
  }
}
