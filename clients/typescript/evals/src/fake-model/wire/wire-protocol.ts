import type { ModelRequest, ModelResponse } from '../../models/model.ts';

/** How a vendor's requests and responses look. */
export interface WireProtocol {
  /** The name of the model in a path; undefined when the path is of another vendor. */
  match(path: string): { readonly model?: string; readonly isStream?: boolean } | undefined;
  /** The key of a request; undefined when there is none. */
  readKey(headers: Headers): string | undefined;
  readonly unauthorizedStatus: number;
  readRequest(body: unknown): ModelRequest;
  writeResponse(response: ModelResponse, request: ModelRequest, model: string): unknown;
  /** The events of a stream for a response that `writeResponse` has made. @param body Of the request */
  writeStream(response: unknown, body: unknown): readonly string[];
  writeError(status: number, message: string): unknown;
}
