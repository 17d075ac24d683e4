/** Marks a span whose response is that of an earlier call with the same request, so that no call was made. */
export const CACHED_RESPONSE = 'llm.response.cached';
