import type { Deletion } from '../span-store/span-store.ts';
import type { Domain } from './domain.ts';

/** Deletes, and returns when no read sees it any more and no crash can bring it back. */
export async function submitDeletion({ writes }: Pick<Domain, 'writes'>, deletion: Deletion): Promise<void> {
  const { position } = await writes.submitDeletion(deletion);
  await writes.applied(position);
}
