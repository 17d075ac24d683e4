/** Each one reads new spans, so many of them would read the same spans again and again. */
export const ONLINE_EVALUATOR_COUNT_MAX = 50;
export const ONLINE_NAME_LENGTH_MAX = 100;
/** Bounds: a trace of an agent may pause for minutes, and a session for hours. */
export const QUIET_MS_MIN = 1_000;
export const QUIET_MS_MAX = 7 * 86_400_000;
/** Targets that are selected in one transaction. Also the size of a page of spans. */
export const ONLINE_PAGE_COUNT = 500;
/** Evaluations of one evaluator, and of all, at the same time. Users' requests use the same event loop and vendors. */
export const ONLINE_CONCURRENCY_OF_ONE = 16;
export const ONLINE_CONCURRENCY = 64;
/** Targets that are read ahead of their evaluation. */
export const ONLINE_DUE_COUNT = 64;
/** An evaluation that takes longer fails; a model has responded by then or will not. */
export const ONLINE_EVALUATION_MS_MAX = 60_000;
/** Attempts of a target while the model is busy or unreachable. */
export const ONLINE_ATTEMPT_COUNT_MAX = 4;
/** Wait before the second attempt, which doubles. A longer one that the vendor requests is respected. */
export const ONLINE_RETRY_MS = 2_000;
/** A claimed target is claimed again after this time, because its server has ended. */
export const ONLINE_LEASE_MS = 5 * 60_000;
/** Targets that wait for one evaluator. Selection pauses above, and continues from where it was. */
export const ONLINE_WAITING_COUNT_MAX = 10_000;
/** How long the outcome of a target is stored. Annotations stay. */
export const ONLINE_ITEM_AGE_MS_MAX = 30 * 86_400_000;
export const ONLINE_BACKFILL_LIST_COUNT = 20;
/** Outcomes of a backfill from which its speed is known. Fewer reflect its start more than its speed. */
export const ONLINE_SPEED_COUNT_MIN = 4 * ONLINE_CONCURRENCY_OF_ONE;
/** Newest evaluations whose mean duration estimates the next ones. Older ones may be of another prompt or model. */
export const ONLINE_SPEED_TRACE_COUNT = 100;
