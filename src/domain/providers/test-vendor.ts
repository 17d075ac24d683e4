import { SpandrelError } from '../../model/errors.ts';
import type { RequestCredentials } from '../../model/playground/chat-task.ts';
import type { ModelProvider } from '../../model/prompts/prompt-parameters.ts';
import { resolveTarget } from '../playground/resolve-target.ts';
import type { Ports } from '../ports.ts';
import { TESTED_MODEL_NAME } from './test-provider.ts';

type Parts = Pick<Ports, 'providers' | 'secrets' | 'secretBox' | 'modelSettings' | 'chatModels'>;

/**
 * Whether a vendor accepts the keys and the address of a run: null when it does, else the reason, which may be that the
 * server has no key.
 *
 * @param credentials Keys of the request, which take precedence.
 */
export async function testVendor(
  ports: Parts,
  modelProvider: ModelProvider,
  credentials: RequestCredentials,
): Promise<string | null> {
  try {
    const target = await resolveTarget(ports, {
      ...{ modelProvider, credentials, modelName: TESTED_MODEL_NAME },
      ...{ connection: null, headers: null },
    });
    return await ports.chatModels.test(target);
  } catch (error) {
    if (error instanceof SpandrelError && CAUSES.has(error.code)) return error.message;
    throw error;
  }
}

/** Reasons why a run could not start. */
const CAUSES: ReadonlySet<string> = new Set(['PROVIDER_INVALID', 'SECRET_HOST_DENIED', 'SECRET_UNREADABLE']);
