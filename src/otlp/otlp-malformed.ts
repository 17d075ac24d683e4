import { SpandrelError } from '../model/errors.ts';

/** The error of a request that is no ExportTraceServiceRequest; what is wrong with it is in its cause. */
export const otlpMalformed = (what: string): SpandrelError =>
  new SpandrelError('OTLP_MALFORMED', 'Request body is invalid ExportTraceServiceRequest', { cause: new Error(what) });
