/** Kind of an error, in terms that fit REST, GraphQL and gRPC. */
export type ErrorKind =
  | 'invalid'
  /** Violates a rule about stored data, where public clients expect another status than for a malformed request. */
  | 'badRequest'
  | 'unauthenticated'
  | 'forbidden'
  | 'notFound'
  | 'conflict'
  | 'tooLarge'
  | 'unsupported'
  | 'tooMany'
  | 'overloaded'
  | 'storageFull'
  | 'timedOut'
  | 'cancelled';

/** The expected errors of all APIs. */
export const ERROR_KINDS = {
  OTLP_MALFORMED: 'invalid',
  BODY_UNREADABLE: 'invalid',
  BODY_TOO_LARGE: 'tooLarge',
  BODY_MALFORMED: 'badRequest',
  CONTENT_TYPE_MISSING: 'badRequest',
  CONTENT_TYPE_UNSUPPORTED: 'unsupported',
  CONTENT_ENCODING_UNSUPPORTED: 'unsupported',
  /** Fields of a request that do not have the documented shape. */
  REQUEST_INVALID: 'invalid',
  READ_ONLY: 'forbidden',
  METRICS_LOCAL: 'forbidden',
  /** The request has no valid credential. */
  UNAUTHENTICATED: 'unauthenticated',
  CREDENTIAL_EXPIRED: 'unauthenticated',
  /** The credential is valid and lacks the right. */
  ACCESS_DENIED: 'forbidden',
  /** The operation needs an identity, and the server has no sign-in. */
  SIGN_IN_OFF: 'forbidden',
  SIGN_IN_FAILED: 'unauthenticated',
  /** Too many failed sign-ins of an account. */
  SIGN_IN_LOCKED: 'tooMany',
  SIGN_IN_UNAVAILABLE: 'overloaded',
  USER_NOT_FOUND: 'notFound',
  USER_INVALID: 'badRequest',
  EMAIL_INVALID: 'invalid',
  USER_PROTECTED: 'forbidden',
  USERNAME_TAKEN: 'conflict',
  EMAIL_TAKEN: 'conflict',
  EXTERNAL_ID_TAKEN: 'conflict',
  PASSWORD_INVALID: 'invalid',
  GROUP_NOT_FOUND: 'notFound',
  GROUP_INVALID: 'badRequest',
  GROUP_NAME_TAKEN: 'conflict',
  /** A request over SCIM that breaks a rule of RFC 7643 or 7644. */
  SCIM_INVALID: 'badRequest',
  SCIM_DEFINITION_NOT_FOUND: 'notFound',
  API_KEY_NOT_FOUND: 'notFound',
  API_KEY_INVALID: 'invalid',
  USER_SESSION_NOT_FOUND: 'notFound',
  /** A token of an application that is meant for another resource. */
  TOKEN_RESOURCE_INVALID: 'unauthenticated',
  OAUTH2_REQUEST_INVALID: 'badRequest',
  OAUTH2_GRANT_NOT_FOUND: 'notFound',
  AUTHORIZATION_REQUEST_INVALID: 'badRequest',
  IDENTITY_NOT_FOUND: 'notFound',
  /** Without this identity, the user could not sign in. */
  IDENTITY_NEEDED: 'conflict',
  CURSOR_INVALID: 'invalid',
  /** A text that is not a valid GraphQL document, or is too large for one. */
  GRAPHQL_PARSE_FAILED: 'invalid',
  /** A document or its variables do not fit the schema, or exceed the limits of a document. */
  GRAPHQL_VALIDATION_FAILED: 'invalid',
  /** A stored number is larger than the type `Int` of GraphQL can represent. */
  INT_OUT_OF_RANGE: 'invalid',
  QUERY_INVALID: 'invalid',
  /** The request needs more work or a larger response than one request may. */
  QUERY_TOO_COSTLY: 'invalid',
  FILTER_INVALID: 'invalid',
  /** A text that is not the global ID of a node, or is one of another type. */
  NODE_ID_INVALID: 'invalid',
  NODE_NOT_FOUND: 'notFound',
  PROJECT_NOT_FOUND: 'notFound',
  PROJECT_NAME_TAKEN: 'conflict',
  PROJECT_PROTECTED: 'forbidden',
  PROJECT_IN_USE: 'conflict',
  PROJECT_MEMBER_INVALID: 'invalid',
  /** A private project must have an owner. */
  PROJECT_OWNER_LAST: 'conflict',
  SPAN_NOT_FOUND: 'notFound',
  TRACE_NOT_FOUND: 'notFound',
  SESSION_NOT_FOUND: 'notFound',
  RETENTION_POLICY_NOT_FOUND: 'notFound',
  SPANS_REFUSED: 'invalid',
  ANNOTATION_NOT_FOUND: 'notFound',
  ANNOTATION_EXISTS: 'conflict',
  ANNOTATION_TARGET_NOT_FOUND: 'notFound',
  ANNOTATION_NAME_RESERVED: 'badRequest',
  ANNOTATION_INVALID: 'invalid',
  ANNOTATION_CONFIG_NOT_FOUND: 'notFound',
  ANNOTATION_CONFIG_NAME_TAKEN: 'conflict',
  ANNOTATION_CONFIG_ASSIGNED: 'conflict',
  ANNOTATION_CONFIG_INVALID: 'badRequest',
  DATASET_NOT_FOUND: 'notFound',
  DATASET_NAME_TAKEN: 'conflict',
  DATASET_SOURCE_NAME_TAKEN: 'conflict',
  ONLINE_EVALUATOR_NAME_TAKEN: 'conflict',
  DATASET_VERSION_NOT_FOUND: 'notFound',
  DATASET_EXAMPLE_NOT_FOUND: 'notFound',
  DATASET_EXAMPLE_ID_TAKEN: 'conflict',
  DATASET_EXAMPLES_UNKNOWN: 'invalid',
  DATASET_UPLOAD_INVALID: 'invalid',
  DATASET_CHANGED: 'conflict',
  DATASET_SPLIT_NOT_FOUND: 'notFound',
  DATASET_SPLIT_NAME_TAKEN: 'conflict',
  DATASET_LABEL_NOT_FOUND: 'notFound',
  DATASET_LABEL_NAME_TAKEN: 'conflict',
  EXPERIMENT_NOT_FOUND: 'notFound',
  EXPERIMENT_EPHEMERAL: 'invalid',
  EXPERIMENT_TAG_NOT_FOUND: 'notFound',
  EXPERIMENT_NOTE_NOT_FOUND: 'notFound',
  EXPERIMENT_RUN_NOT_FOUND: 'notFound',
  EXPERIMENT_JOB_NOT_FOUND: 'notFound',
  /** A job was stopped or resumed a moment ago. */
  EXPERIMENT_JOB_COOLDOWN: 'conflict',
  EXPERIMENT_RUN_COMPLETE: 'conflict',
  EVALUATION_NAME_INVALID: 'badRequest',
  /** The header `Idempotency-Key` is empty, too long, or has other characters than visible ones. */
  IDEMPOTENCY_KEY_INVALID: 'badRequest',
  /** The key belongs to a request that was different. */
  IDEMPOTENCY_KEY_REUSED: 'invalid',
  /** The first request with the key has no response yet. */
  IDEMPOTENT_REQUEST_RUNNING: 'conflict',
  /** The first request with the key may have been executed, and its response is lost. */
  IDEMPOTENT_OUTCOME_UNKNOWN: 'conflict',
  UPLOAD_QUEUE_FULL: 'tooMany',
  RATE_LIMIT_EXCEEDED: 'tooMany',
  MODEL_INVALID: 'badRequest',
  MODEL_NOT_FOUND: 'notFound',
  MODEL_NAME_TAKEN: 'conflict',
  MODEL_BUILT_IN: 'badRequest',
  RECOMPUTATION_NOT_FOUND: 'notFound',
  PROMPT_NOT_FOUND: 'notFound',
  PROMPT_NAME_TAKEN: 'conflict',
  PROMPT_VERSION_NOT_FOUND: 'notFound',
  PROMPT_TAG_NOT_FOUND: 'notFound',
  PROMPT_LABEL_NOT_FOUND: 'notFound',
  PROMPT_LABEL_NAME_TAKEN: 'conflict',
  PROMPT_INVALID: 'invalid',
  PROVIDER_NOT_FOUND: 'notFound',
  PROVIDER_NAME_TAKEN: 'conflict',
  PROVIDER_INVALID: 'badRequest',
  SECRET_NOT_FOUND: 'notFound',
  SECRET_INVALID: 'invalid',
  /** The key that encrypted the secret is missing. */
  SECRET_UNREADABLE: 'conflict',
  /** A secret is bound to other hosts than the one that would receive it. */
  SECRET_HOST_DENIED: 'forbidden',
  /** A request names the server by a host name that it does not know. */
  HOST_UNKNOWN: 'forbidden',
  PROMPT_IN_USE: 'conflict',
  EVALUATOR_NOT_FOUND: 'notFound',
  EVALUATOR_INVALID: 'badRequest',
  /** Code and schemas wait for a thread of the sandbox already. */
  SANDBOX_BUSY: 'overloaded',
  EVALUATOR_NAME_TAKEN: 'conflict',
  CODE_VERSION_NOT_FOUND: 'notFound',
  SANDBOX_CONFIG_NOT_FOUND: 'notFound',
  SANDBOX_CONFIG_NAME_TAKEN: 'conflict',
  SANDBOX_CONFIG_IN_USE: 'conflict',
  SANDBOX_CONFIG_INVALID: 'badRequest',
  DATASET_EVALUATOR_NOT_FOUND: 'notFound',
  DATASET_EVALUATOR_NAME_TAKEN: 'badRequest',
  CALIBRATION_NOT_FOUND: 'notFound',
  CALIBRATION_INVALID: 'badRequest',
  /** The calibration already runs. */
  CALIBRATION_RUNNING: 'conflict',
  CALIBRATIONS_TOO_MANY: 'tooMany',
  SAVED_VIEW_NOT_FOUND: 'notFound',
  DATASET_SOURCE_NOT_FOUND: 'notFound',
  ONLINE_EVALUATOR_NOT_FOUND: 'notFound',
  ONLINE_EVALUATOR_INVALID: 'badRequest',
  BACKFILL_RUNNING: 'conflict',
  DASHBOARD_NOT_FOUND: 'notFound',
  DASHBOARD_NAME_TAKEN: 'conflict',
  DASHBOARD_INVALID: 'invalid',
  /** Another user saved the dashboard after the caller had read it. */
  DASHBOARD_CHANGED: 'conflict',
  /** A dashboard that is delivered with the server can only be copied. */
  DASHBOARD_BUILT_IN: 'badRequest',
  RECOMPUTATIONS_TOO_MANY: 'conflict',
  INGEST_OVERLOADED: 'overloaded',
  SHUTTING_DOWN: 'overloaded',
  /** Storage is above the configured limit. Only an operator can change that. */
  STORAGE_FULL: 'storageFull',
  /** The disk is full at the moment. Exporters retry, whereas a 507 would make them drop the batch. */
  DISK_FULL: 'overloaded',
  STORE_UNAVAILABLE: 'overloaded',
  EVENT_STREAMS_TOO_MANY: 'overloaded',
  SUBSCRIPTIONS_TOO_MANY: 'overloaded',
  /** The reader of a stream is too far behind. */
  SUBSCRIPTION_READER_SLOW: 'overloaded',
  QUERY_TIMED_OUT: 'timedOut',
  CANCELLED: 'cancelled',
} as const satisfies Record<string, ErrorKind>;

export type ErrorCode = keyof typeof ERROR_KINDS;

/** Code of an unexpected error. Its message is logged and never sent, so no `SpandrelError` has it. */
export const INTERNAL_ERROR_CODE = 'INTERNAL_ERROR';

/** Header of REST responses and trailer of gRPC responses that carries the code, because public contracts fix the body. */
export const ERROR_CODE_HEADER = 'x-spandrel-error-code';

/** An expected error, such as an invalid request or a full queue. Each API layer maps `kind` to its own status once. */
export class SpandrelError extends Error {
  override readonly name = 'SpandrelError';
  readonly code: ErrorCode;
  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
  get kind(): ErrorKind {
    return ERROR_KINDS[this.code];
  }
}
