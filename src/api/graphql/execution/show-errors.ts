import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import type { Log } from '../../../base/log.ts';
import { type ErrorCode, INTERNAL_ERROR_CODE, SpandrelError } from '../../../model/errors.ts';

const UNEXPECTED = 'an unexpected error occurred';

/**
 * Converts errors of a document, its variables or its fields for the caller, with their code in `extensions.code`. An
 * unexpected error is logged, and the caller learns only that it occurred and where. Fields that end because the client
 * has disconnected are not logged. Errors of a document that stores secrets repeat no value of it.
 */
export function toFormattedErrors(
  errors: readonly GraphQLError[],
  { log, document, signal }: { readonly log: Log; readonly document: string; readonly signal?: AbortSignal },
): GraphQLFormattedError[] {
  const shown = STORES_SECRETS.test(document) ? withoutValues : withoutSecret;
  return errors.map((error) => {
    const { message, locations, path, originalError } = error;
    const isExpected = isForCallers(originalError);
    if (!isExpected && !signal?.aborted) {
      log.error({ error: originalError?.stack ?? message, path }, 'A GraphQL field failed');
    } else if (originalError instanceof SpandrelError && originalError.cause instanceof Error) {
      log.debug(
        { code: originalError.code, reason: originalError.cause.message, path },
        'A GraphQL field was rejected',
      );
    }
    return {
      message: isExpected ? shown(message) : UNEXPECTED,
      ...(locations && { locations }),
      ...(path && { path }),
      extensions: { code: codeOf(error) },
    };
  });
}

/** An error of a whole request, with its code in `extensions.code`. */
export const formattedError = (code: ErrorCode, message: string): GraphQLFormattedError => ({
  message,
  extensions: { code },
});

function codeOf({ message, path, originalError, extensions }: GraphQLError): string {
  // Errors of graphql-jit have no extensions, against their type.
  if (typeof extensions?.code === 'string') return extensions.code;
  if (originalError instanceof SpandrelError) return originalError.code;
  if (!isForCallers(originalError)) return INTERNAL_ERROR_CODE;
  if (message.startsWith('Syntax Error')) return 'GRAPHQL_PARSE_FAILED';
  // Only a value of the response has a path here. Nothing but its text distinguishes a number that is too large.
  if (path !== undefined && message.startsWith('Int cannot represent')) return 'INT_OUT_OF_RANGE';
  return message.startsWith('Cannot return null for non-nullable field')
    ? INTERNAL_ERROR_CODE
    : 'GRAPHQL_VALIDATION_FAILED';
}

/** Matches messages that repeat a value of a secret type. */
const SECRET_REPEATED = /(got invalid value ).*(; Expected type (?:RedactedString|SecretString))/s;

const withoutSecret = (message: string): string => message.replace(SECRET_REPEATED, '$1***$2');

/** A mutation whose input contains secrets in fields of the type `String`, which its contract fixes. */
const STORES_SECRETS = /\bupsertOrDeleteSecrets\b/;
/** Matches a value that a message of `graphql` repeats, and the rest of the message. */
const VALUE_REPEATED = /(got invalid value|cannot represent a non string value:|\bfound|Syntax Error: Unexpected) .*/s;

const withoutValues = (message: string): string => message.replace(VALUE_REPEATED, '$1 ***');

/** Errors of documents and values contain no other error. */
const isForCallers = (error: unknown): boolean =>
  error === undefined || error === null || error instanceof SpandrelError || error instanceof GraphQLError;
