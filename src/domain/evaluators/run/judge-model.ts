import { SpandrelError } from '../../../model/errors.ts';
import type { SentSecrets } from '../../experiments/jobs/job-runner.ts';
import { prepareChatTask } from '../../playground/run-chat-task.ts';
import type { Ports } from '../../ports.ts';
import type { Runnable } from './runnable.ts';

/** Null for evaluators that call none. */
export type JudgeModel = {
  readonly name: string;
  readonly provider: string;
  /** Null when the model cannot be opened: each evaluation reports why. */
  readonly rateLimitKey: string | null;
} | null;

export async function findJudgeModel(
  ports: Ports,
  runnable: Runnable,
  { credentials }: Pick<SentSecrets, 'credentials'>,
): Promise<JudgeModel> {
  if (!('prompt' in runnable)) return null;
  const { prompt } = runnable as { readonly prompt: Parameters<typeof prepareChatTask>[1]['prompt'] };
  try {
    const { model } = await prepareChatTask(
      ports,
      { prompt, promptVersionRowId: null, promptName: null, connection: null, headers: null, isStreamed: false },
      credentials,
    );
    return { name: model.modelName, provider: model.provider, rateLimitKey: model.rateLimitKey };
  } catch (error) {
    if (!(error instanceof SpandrelError)) throw error;
    return { name: prompt.modelName, provider: '', rateLimitKey: null };
  }
}
