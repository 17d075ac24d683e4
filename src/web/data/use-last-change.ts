import { useState } from 'react';
import { useTopic } from './event-stream.ts';

/**
 * When a project last changed, as the server tells it: empty when it has not since the server began, undefined until it
 * has told.
 */
export function useLastChange(projectId: string, isWanted: boolean): string | undefined {
  const [changedAt, setChangedAt] = useState<string>();
  useTopic(isWanted ? { kind: 'project', id: projectId } : undefined, setChangedAt);
  return changedAt;
}
