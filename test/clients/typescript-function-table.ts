import type { TestApi } from '../../clients/typescript/client/src/test-runner/bind-runner.ts';
import type * as testApi from '../../clients/typescript/client/src/test-runner/test-api.ts';
import type { Modules } from './installed-client.ts';

/**
 * Functions of the public TypeScript client 7.5 by subpath, each with the fields of its argument: `*` is required there, so ours may
 * require it, too. What has no counterpart is in `LISTED` and, with a reason, in docs/functions.md of the package.
 */
export const FUNCTION_TABLE = {
  '.': {
    createClient: 'options getEnvironmentOptions',
    createAuthFetch: 'getAccessToken* fetch onUnauthorized',
    HttpError: '',
  },
  './projects': { getProjects: 'nameContains' },
  './spans': {
    getSpans: 'project* startTime endTime traceIds spanIds parentId name spanKind statusCode attributes limit cursor',
    getSpanAnnotations: 'project* spanIds* includeAnnotationNames excludeAnnotationNames cursor limit',
    addSpanAnnotation: 'spanAnnotation* sync',
    logSpanAnnotations: 'spanAnnotations* sync',
    addDocumentAnnotation: 'documentAnnotation* sync',
    logDocumentAnnotations: 'documentAnnotations* sync',
    addSpanNote: 'spanNote*',
    logSpans: 'project* spans*',
    deleteSpan: 'spanIdentifier*',
    SpanCreationError: '',
  },
  './traces': {
    getTraces: 'project* startTime endTime sort order includeSpans limit cursor',
    addTraceAnnotation: 'traceAnnotation* sync',
    logTraceAnnotations: 'traceAnnotations* sync',
    addTraceNote: 'traceNote*',
  },
  './sessions': {
    getSession: 'sessionId*',
    listSessions: 'project*',
    getSessionTurns: 'sessionId*',
    deleteSession: 'sessionId*',
    deleteSessions: 'sessionIds*',
    addSessionAnnotation: 'sessionAnnotation* sync',
    logSessionAnnotations: 'sessionAnnotations* sync',
    addSessionNote: 'sessionNote*',
  },
  './datasets': {
    createDataset: 'name* description* examples*',
    appendDatasetExamples: 'dataset* examples*',
    getDataset: 'dataset*',
    getDatasetInfo: 'dataset*',
    getDatasetExamples: 'dataset*',
    listDatasets: '',
  },
  './prompts': {
    createPrompt: 'name* description metadata version*',
    promptVersion: 'modelProvider* modelName* template* templateFormat description invocationParameters',
    getPrompt: 'prompt*',
    listPrompts: '',
    updatePrompt: 'promptIdentifier* description metadata',
    toSDK: 'sdk* prompt* variables',
  },
  './experiments': {
    createExperiment:
      'datasetId* datasetVersionId experimentName experimentDescription experimentMetadata splits repetitions',
    getExperimentInfo: 'experimentId*',
    getExperimentRuns: 'experimentId* pageSize',
    getExperiment: 'experimentId*',
    listExperiments: 'datasetId*',
    deleteExperiment: 'experimentId* deleteProject',
    asExperimentEvaluator: 'name* kind* evaluate*',
    asEvaluator: 'name* kind* evaluate*',
    getExperimentEvaluators: '',
    fromPhoenixLLMEvaluator: '',
    runExperiment:
      'dataset* task* evaluators experimentName experimentDescription experimentMetadata concurrency repetitions dryRun record logger',
    evaluateExperiment: 'experiment* evaluators* concurrency dryRun logger',
    resumeExperiment: 'experimentId* task* evaluators concurrency stopOnFirstError logger',
    resumeEvaluation: 'experimentId* evaluators* concurrency stopOnFirstError logger',
  },
} as const satisfies Partial<Record<keyof Modules, Record<string, string>>>;

/** Names of `./vitest` and `./jest`, whose modules load only in their runners. */
export const RUNNER_NAMES = [
  'describe',
  'test',
  'it',
  'logOutput',
  'logAnnotation',
  'evaluate',
  'traceEvaluator',
] as const;

/** Names of the public helper for tracing 2.2, and options of its `register`. */
export const TRACING_NAMES =
  'register withSpan traceChain traceAgent traceTool traceLLM setSession setUser setMetadata setTags setAttributes setPromptTemplate getLLMAttributes SemanticConventions OpenInferenceSpanKind MimeType trace context SpanStatusCode DiagLogLevel suppressTracing OTLPTraceExporter registerInstrumentations LazySpanProcessor attachGlobalTracerProvider detachGlobalTracerProvider getDefaultSpanProcessor ensureCollectorEndpoint createNoOpProvider objectAsAttributes';
export const REGISTER_OPTIONS =
  'projectName url apiKey headers batch instrumentations spanProcessors global diagLogLevel';

/** Of the public client, and listed with a reason. */
export const LISTED = [
  'setGlobalTracerProvider',
  'useBatchSpanProcessor',
  'diagLogLevel',
  'formatApiError',
  './utils/*',
  './types/*',
  'CommonJS',
  'version gates',
];

type Words<Text extends string> = Text extends `${infer First} ${infer Rest}` ? First | Words<Rest> : Exclude<Text, ''>;
type NameOf<Word extends string> = Word extends `${infer Name}*` ? Name : Word;
type RequiredOf<Word extends string> = Word extends `${infer Name}*` ? Name : never;
type KeysOf<Union> = Union extends Union ? keyof Union : never;
type RequiredKeysOf<Union> = Union extends Union
  ? { [Key in keyof Union]-?: Record<never, never> extends Pick<Union, Key> ? never : Key }[keyof Union]
  : never;
type ArgumentOf<Value> = Value extends (argument: infer Argument, ...rest: never) => unknown
  ? NonNullable<Argument>
  : never;

/** Names that a function lacks, or that it requires although the public one does not. */
type Problem<Text extends string, Value> =
  | Exclude<NameOf<Words<Text>>, KeysOf<ArgumentOf<Value>>>
  | (Text extends '' ? never : Exclude<RequiredKeysOf<ArgumentOf<Value>>, RequiredOf<Words<Text>>>);
type ProblemsOf<Rows, Module> = {
  [Name in keyof Rows]: Name extends keyof Module ? Problem<Rows[Name] & string, Module[Name]> : Name;
}[keyof Rows];
type Problems = { [Path in keyof typeof FUNCTION_TABLE]: ProblemsOf<(typeof FUNCTION_TABLE)[Path], Modules[Path]> };
type RunnerProblems = Exclude<(typeof RUNNER_NAMES)[number], keyof TestApi | keyof typeof testApi>;

type None<Found extends never> = Found;
/** Does not compile while a function differs from the table. The error names what differs. */
export type NoProblem = None<Problems[keyof Problems] | RunnerProblems>;
