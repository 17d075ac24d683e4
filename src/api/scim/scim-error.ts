import { ERROR_CODE_HEADER, type ErrorCode, SpandrelError } from '../../model/errors.ts';
import { errorResponse } from '../../server/error-response.ts';
import type { HttpResponse } from '../../server/route.ts';

/** Kinds of a 400 or 409, of RFC 7644, section 3.12. */
export type ScimType =
  | 'invalidFilter'
  | 'tooMany'
  | 'uniqueness'
  | 'mutability'
  | 'invalidSyntax'
  | 'invalidPath'
  | 'invalidValue';

/** A request that breaks a rule of SCIM. */
export class ScimError extends SpandrelError {
  readonly scimType: ScimType;
  constructor(scimType: ScimType, message: string) {
    super('SCIM_INVALID', message);
    this.scimType = scimType;
  }
}

const TYPE_OF_CODE: Partial<Readonly<Record<ErrorCode, ScimType>>> = {
  USERNAME_TAKEN: 'uniqueness',
  EMAIL_TAKEN: 'uniqueness',
  EXTERNAL_ID_TAKEN: 'uniqueness',
  GROUP_NAME_TAKEN: 'uniqueness',
  USER_INVALID: 'invalidValue',
  EMAIL_INVALID: 'invalidValue',
  GROUP_INVALID: 'invalidValue',
};

export const SCIM_CONTENT_TYPE = 'application/scim+json';

/** Response to an expected error. Undefined for an unexpected one. */
export function scimErrorResponse(error: unknown): HttpResponse | undefined {
  const response = errorResponse(error);
  if (response === undefined || !(error instanceof SpandrelError)) return undefined;
  const scimType = error instanceof ScimError ? error.scimType : TYPE_OF_CODE[error.code];
  return toScimError(response, scimType);
}

/** Gives a response with an error text the form of SCIM. */
export function toScimError({ status, headers, body }: HttpResponse, scimType?: ScimType): HttpResponse {
  // SCIM knows no 422.
  const scimStatus = status === 422 ? 400 : status;
  const detail = typeof body === 'string' ? body : '';
  const value = {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
    status: String(scimStatus),
    ...(scimType !== undefined && { scimType }),
    detail,
  };
  return {
    status: scimStatus,
    headers: { ...headers, 'content-type': SCIM_CONTENT_TYPE },
    body: JSON.stringify(value),
  };
}

/** Response to a body of another media type. */
export const unsupportedMediaType = (): HttpResponse =>
  toScimError({
    status: 415,
    headers: { [ERROR_CODE_HEADER]: 'CONTENT_TYPE_UNSUPPORTED' },
    body: `The body must be ${SCIM_CONTENT_TYPE} or application/json`,
  });
