/** Address of a trace. Without a known project, the address that finds it. */
export const tracePath = (traceId: string, projectId: string | undefined): string =>
  projectId === undefined
    ? `/redirects/traces/${encodeURIComponent(traceId)}`
    : `/projects/${encodeURIComponent(projectId)}/traces/${encodeURIComponent(traceId)}`;
