// Limits of streams that send the results of work while it runs: GraphQL subscriptions.
import assert from 'node:assert/strict';
import { MiB } from './units.ts';

/** Open streams of the process. Each runs calls to models, or follows a job. */
export const SUBSCRIPTION_COUNT_MAX = 1_000;
/** Open streams of one caller: a grid of many variants runs in several windows, and others keep their share. */
export const SUBSCRIPTIONS_OF_CALLER_COUNT_MAX = 200;
/** Longest time of a stream. A job may take hours, and goes on without its stream. */
export const SUBSCRIPTION_MS_MAX = 24 * 3_600_000;
/** Time without payloads after which a heartbeat is sent. Public clients know about this interval. */
export const SUBSCRIPTION_HEARTBEAT_MS = 5_000;
/**
 * Characters of events that wait for a slow reader. Events of one cell are merged, so this is text that the reader has not
 * read: with more, its stream ends.
 */
export const SUBSCRIPTION_WAITING_CHARS_MAX = 8 * MiB;
/** Fixed part of an event that waits, which limits the number of events without text. */
export const SUBSCRIPTION_EVENT_CHARS = 200;
/** Events whose payloads are built together, so that their reads are batched. */
export const SUBSCRIPTION_BATCH_COUNT_MAX = 50;
/** Characters that one write may have before the next events are looked at. */
export const SUBSCRIPTION_WRITE_CHARS = 64 * 1_024;
/** Forms of payloads that a stream keeps, one for each cell. More cells than run at a time begin again with none. */
export const SUBSCRIPTION_TEMPLATE_COUNT_MAX = 1_000;
/** Time between two writes of a stream for a grid. Its page shows texts once per frame, and each payload costs it processor time. */
export const GRID_WRITE_INTERVAL_MS = 25;
/** Running calls of `/v1/chat/completions`. Each holds response text that its reader has not read. */
export const CHAT_COMPLETION_COUNT_MAX = 500;

assert(SUBSCRIPTIONS_OF_CALLER_COUNT_MAX < SUBSCRIPTION_COUNT_MAX, 'one caller must not use all streams');
