import type { ModelRequest, ModelResponse } from '../../models/model.ts';

/** How a vendor's requests and responses look. */
export interface WireProtocol {
  /** The name of the model in a path; undefined when the path is of another vendor. */
  match(path: string): { readonly model?: string } | undefined;
  /** The key of a request; undefined when there is none. */
  readKey(headers: Headers): string | undefined;
  readonly unauthorizedStatus: number;
  readRequest(body: unknown): ModelRequest;
  writeResponse(response: ModelResponse, request: ModelRequest, model: string): unknown;
  writeError(status: number, message: string): unknown;
}
