import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import type { Log } from '../../../base/log.ts';
import { SpandrelError } from '../../../model/errors.ts';

const UNEXPECTED = 'an unexpected error occurred';

/**
 * Converts errors for the caller. An unexpected error is logged, and the caller learns only that it occurred and where.
 * Fields that end because the client has disconnected are not logged.
 */
export function toFormattedErrors(
  errors: readonly GraphQLError[],
  log: Log,
  signal?: AbortSignal,
): GraphQLFormattedError[] {
  return errors.map(({ message, locations, path, originalError }) => {
    const isExpected = isForCallers(originalError);
    if (!isExpected && !signal?.aborted) {
      log.error({ error: originalError?.stack ?? message, path }, 'a GraphQL field failed');
    } else if (originalError instanceof SpandrelError && originalError.cause instanceof Error) {
      log.debug(
        { code: originalError.code, reason: originalError.cause.message, path },
        'a GraphQL field was rejected',
      );
    }
    return {
      message: isExpected ? withoutSecret(message) : UNEXPECTED,
      ...(locations && { locations }),
      ...(path && { path }),
    };
  });
}

/** What repeats a value that should have been a secret, which it may hold. */
const SECRET_REPEATED = /(got invalid value ).*(; Expected type (?:RedactedString|SecretString))/s;

const withoutSecret = (message: string): string => message.replace(SECRET_REPEATED, '$1***$2');

/** Errors of documents and values have no other error inside. */
const isForCallers = (error: unknown): boolean =>
  error === undefined || error === null || error instanceof SpandrelError || error instanceof GraphQLError;
