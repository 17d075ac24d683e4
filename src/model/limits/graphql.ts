// Limits of a GraphQL request.
import { MiB } from './units.ts';

/** Characters and tokens of a GraphQL document, which is parsed without yielding. Long texts belong in variables. */
export const GRAPHQL_DOCUMENT_CHARS_MAX = 1 * MiB;
export const GRAPHQL_TOKEN_COUNT_MAX = 20_000;
/**
 * Fields of a document. Validation compares all pairs, 50 ms for this many. The interface's largest operation has 63.
 */
export const GRAPHQL_FIELD_COUNT_MAX = 500;
/** Fields after fragments are expanded, counted per type of an interface or union. Both can double at every level. */
export const GRAPHQL_EXPANDED_FIELD_COUNT_MAX = 4_000;
/**
 * Operations with more expanded fields are interpreted. Compiling blocks the event loop for 0.1 to 0.5 ms per field.
 */
export const GRAPHQL_COMPILED_FIELD_COUNT_MAX = 250;
/** Schema introspections in one operation, 60 ms each. Tools need one. */
export const GRAPHQL_INTROSPECTION_COUNT_MAX = 2;
/** Nesting of fields, and number of aliases, of one GraphQL operation. */
export const GRAPHQL_DEPTH_MAX = 20;
export const GRAPHQL_ALIAS_COUNT_MAX = 50;
/** Commas and opening brackets of a GraphQL request. `JSON.parse` blocks the event loop for 50 ms for this many. */
export const GRAPHQL_JSON_SIGN_COUNT_MAX = 500_000;
/** Values of one list argument of a query, and of a mutation. The size of the body limits nested lists. */
export const GRAPHQL_QUERY_LIST_COUNT_MAX = 1_000;
export const GRAPHQL_MUTATION_LIST_COUNT_MAX = 10_000;
/**
 * Cost of one GraphQL request in resolved fields. What its arguments and aliases request at least is estimated before execution,
 * and all is counted as lists are built, because only the data determines how long they are. The interface's table of 1,000 spans
 * costs at most 238,000.
 */
export const GRAPHQL_COST_MAX = 1_000_000;
/**
 * Cost of a field with its own store query, and estimated size of a list that the document does not limit.
 */
export const GRAPHQL_READ_COST = 50;
export const GRAPHQL_UNKNOWN_LIST_COUNT = 5;
/** Estimated cost, at most, of all concurrent requests. Further requests wait, except those that cost less than a page. */
export const GRAPHQL_RUNNING_COST_MAX = 2 * GRAPHQL_COST_MAX;
export const GRAPHQL_PAGE_COST = 100_000;
export const GRAPHQL_WAITING_COUNT_MAX = 100;
/** Objects in all lists of one GraphQL response, because nested lists multiply. */
export const GRAPHQL_ITEM_COUNT_MAX = 200_000;
/** Characters of all texts of one GraphQL response, and of all responses that are being built. */
export const GRAPHQL_TEXT_CHARS_MAX = 128 * MiB;
export const GRAPHQL_RUNNING_TEXT_CHARS_MAX = 512 * MiB;
/** Failed fields of one GraphQL response. With more, the whole request fails. */
export const GRAPHQL_ERROR_COUNT_MAX = 1_000;
/** Time from the first to the last read of a GraphQL query. Several reads of 15 s may run one after the other. */
export const GRAPHQL_QUERY_MS_MAX = 60_000;
/** Time that GraphQL requests hold the event loop before they yield to other work. */
export const GRAPHQL_SLICE_MS = 8;
/** Reads of one GraphQL request that run or wait in the store at a time; its further ones wait outside. */
export const GRAPHQL_READ_COUNT_MAX = 4;
/** Body of a GraphQL request: its document and variables. */
export const GRAPHQL_BODY_BYTES_MAX = 8 * MiB;
/** Cached compiled GraphQL documents, and characters of their texts. */
export const GRAPHQL_COMPILED_COUNT_MAX = 500;
export const GRAPHQL_COMPILED_CHARS_MAX = 8 * MiB;
/** Characters of a shortened input or output in GraphQL. */
export const GRAPHQL_TRUNCATED_CHARS_MAX = 100;
/** Projects of a complete list. */
export const PROJECT_LIST_COUNT_MAX = 100_000;
