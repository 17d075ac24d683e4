import { VERSION } from '../../base/version.ts';
import { SpandrelError } from '../../model/errors.ts';
import { compileNamePattern } from '../../model/models/name-pattern.ts';
import type { GraphqlContext } from './context.ts';
import { type Resolvers, sessionRef, spanRef, traceRef } from './resolvers.ts';

/** Spans, traces and sessions by the IDs of applications, and queries without a noun. */
export const queryResolvers: Resolvers = {
  async getSpanByOtelId(_source, { spanId }: { readonly spanId: string }, { domain, signal }: GraphqlContext) {
    const rowId = await domain.spans.findSpanRowId({ id: spanId }, { readClass: 'interface', signal });
    return rowId === undefined ? null : spanRef(rowId);
  },
  async getTraceByOtelId(_source, { traceId }: { readonly traceId: string }, { domain, signal }: GraphqlContext) {
    const rowId = await domain.spans.findTraceRowId({ id: traceId }, { readClass: 'interface', signal });
    return rowId === undefined ? null : traceRef(rowId);
  },
  async getProjectSessionById(_source, args: { readonly sessionId: string }, context: GraphqlContext) {
    const { domain, loaders, signal } = context;
    const session = await domain.spans.findSession({ id: args.sessionId }, { readClass: 'interface', signal });
    if (!session) return null;
    loaders.sessions.prime(session.rowId, session);
    return sessionRef(session.rowId);
  },
  validateRegularExpression(_source, { regex }: { readonly regex: string }) {
    try {
      compileNamePattern(regex);
      return { isValid: true, errorMessage: null, warnings: [] };
    } catch (error) {
      if (!(error instanceof SpandrelError)) throw error;
      return { isValid: false, errorMessage: error.message, warnings: [] };
    }
  },
  serverStatus: (_source, _args, { storageLock }: GraphqlContext) => ({
    insufficientStorage: storageLock() !== undefined,
    version: VERSION,
  }),
};
