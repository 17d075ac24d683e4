import { useState } from 'react';
import { useTopic } from './streams/event-stream.ts';

/**
 * Time of a project's last change according to the server. Empty when it has not changed since the server started, and
 * undefined until the server has sent it.
 */
export function useLastChange(projectId: string, isWanted: boolean): string | undefined {
  const [changedAt, setChangedAt] = useState<string>();
  useTopic(isWanted ? { kind: 'project', id: projectId } : undefined, setChangedAt);
  return changedAt;
}
