/** Address of the spans of a project that a filter selects, in a range. */
export function spansPath(
  projectId: string,
  filter: string,
  { start, end }: { readonly start: number; readonly end: number },
): string {
  const search = new URLSearchParams({
    timeRangeStart: new Date(start).toISOString(),
    timeRangeEnd: new Date(end).toISOString(),
    spanFilterCondition: filter,
    spans: 'all',
  });
  return `/projects/${encodeURIComponent(projectId)}/spans?${search}`;
}
