/** Link to the playground with a version of a prompt. */
export const playgroundPath = (
  parameters: Readonly<Partial<Record<'promptId' | 'promptVersionId' | 'datasetId' | 'experimentId', string>>>,
): string => `/playground?${new URLSearchParams(parameters)}`;

export const replayPath = (spanNodeId: string): string => `/playground/spans/${encodeURIComponent(spanNodeId)}`;
