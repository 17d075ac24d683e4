import { SpandrelError } from '../../model/errors.ts';

/** The error for a request that is not an ExportTraceServiceRequest. Its cause says what is wrong. */
export const otlpMalformed = (what: string): SpandrelError =>
  new SpandrelError('OTLP_MALFORMED', 'Request body is invalid ExportTraceServiceRequest', { cause: new Error(what) });
