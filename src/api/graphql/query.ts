import { VERSION } from '../../base/version.ts';
import { SpandrelError } from '../../model/errors.ts';
import { compileNamePattern } from '../../model/models/name-pattern.ts';
import type { GraphqlContext } from './context.ts';
import { type Resolvers, sessionRef, spanRef, traceRef } from './resolvers.ts';

/** Spans, traces and sessions by the IDs of applications, and queries without a noun. */
export const queryResolvers: Resolvers = {
  async getSpanByOtelId(_source, { spanId }: { readonly spanId: string }, { domain, signal }: GraphqlContext) {
    const found = await domain.spans.findByIds({ of: 'spans', ids: [spanId] }, { readClass: 'interface', signal });
    const newest = found.at(-1);
    return newest ? spanRef(newest.rowId) : null;
  },
  async getTraceByOtelId(_source, { traceId }: { readonly traceId: string }, { domain, signal }: GraphqlContext) {
    const [found] = await domain.spans.findByIds({ of: 'traces', ids: [traceId] }, { readClass: 'interface', signal });
    return found ? traceRef(found.rowId) : null;
  },
  async getProjectSessionById(
    _source,
    { sessionId }: { readonly sessionId: string },
    { domain, signal }: GraphqlContext,
  ) {
    const [found] = await domain.spans.findByIds(
      { of: 'sessions', ids: [sessionId] },
      { readClass: 'interface', signal },
    );
    return found ? sessionRef(found.rowId) : null;
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
