import type { Deletion } from '../span-store/contract/writer.ts';
import type { Ports } from './ports.ts';

/** Deletes, and returns when no read sees it any more and no crash can bring it back. */
export async function submitDeletion({ writes }: Pick<Ports, 'writes'>, deletion: Deletion): Promise<void> {
  const { position } = await writes.submitDeletion(deletion);
  await writes.applied(position);
}
