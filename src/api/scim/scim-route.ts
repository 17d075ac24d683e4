import { SCIM_BODY_BYTES_MAX } from '../../model/limits/identity-providers.ts';
import type { Domain, DomainFor } from '../../domain/domain.ts';
import { baseUrlOf, type PublicAddress } from '../../server/guards/base-url.ts';
import type { HttpResponse, Route } from '../../server/route.ts';
import { SCIM_CONTENT_TYPE, scimErrorResponse, toScimError, unsupportedMediaType } from './scim-error.ts';
import { type Attributes, readBody } from './scim-values.ts';

export interface ScimOptions extends PublicAddress {
  readonly domainFor: DomainFor;
}

export interface ScimRequest {
  readonly domain: Domain;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** Empty without a body. */
  readonly body: Attributes;
  /** URL of `/scim/v2`. */
  readonly baseUrl: string;
}

export interface ScimResult {
  readonly status?: 200 | 201;
  /** URL of a new resource. */
  readonly location?: string | undefined;
  /** Undefined: 204. */
  readonly resource: object | undefined;
}

interface ScimRoute {
  readonly method: Route['method'];
  /** Below `/scim/v2`. */
  readonly path: string;
  readonly handle: (request: ScimRequest) => Promise<ScimResult> | ScimResult;
}

/** A route under `/scim/v2`, whose errors have the form of SCIM. */
export const defineScimRoute = (options: ScimOptions, { method, path, handle }: ScimRoute): Route => {
  const hasBody = method !== 'GET' && method !== 'DELETE';
  return {
    method,
    path: `/scim/v2${path}`,
    access: 'scim',
    // A deactivation must not wait for free storage.
    blockedWhenStorageFull: method === 'POST',
    rateLimit: 'scim',
    bodyBytesMax: hasBody ? SCIM_BODY_BYTES_MAX : 0,
    formatRejection: (response) => toScimError(response),
    async handle(request) {
      if (hasBody && !isJson(request.header('content-type'))) return unsupportedMediaType();
      try {
        const result = await handle({
          domain: options.domainFor(request.caller, request.clientAddress || null),
          params: request.params,
          query: new URLSearchParams(request.query),
          body: hasBody ? readBody(request.body) : new Map(),
          baseUrl: `${baseUrlOf(options, request)}/scim/v2`,
        });
        return toResponse(result);
      } catch (error) {
        const response = scimErrorResponse(error);
        if (response) return response;
        throw error;
      }
    },
  };
};

function toResponse({ status = 200, location, resource }: ScimResult): HttpResponse {
  if (resource === undefined) return { status: 204 };
  const headers = { 'content-type': SCIM_CONTENT_TYPE, ...(location !== undefined && { location }) };
  return { status, headers, body: JSON.stringify(resource) };
}

const isJson = (type: string | undefined): boolean =>
  type !== undefined && /^application\/(?:scim\+)?json$/i.test(type.replace(/;.*/s, '').trim());
