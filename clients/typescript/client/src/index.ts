export {
  type CallOptions,
  type ClientConfig,
  type ClientOptions,
  createClient,
  type SpandrelClient,
} from './client.ts';
export type { operations, paths } from './generated/api.ts';
export { createAuthFetch } from './http/auth-fetch.ts';
export {
  AnswerError,
  ArgumentError,
  ConnectionError,
  HttpError,
  SERVER_VERSION_HEADER,
  SERVER_VERSION_HEADER as PHOENIX_SERVER_VERSION_HEADER,
  SpandrelError,
} from './http/errors.ts';
export { limitTime } from './http/limit-time.ts';
export { GraphqlError, queryGraphql } from './http/query-graphql.ts';
export type { RetryOptions } from './http/send.ts';
export type { List, Page } from './pages/list.ts';
