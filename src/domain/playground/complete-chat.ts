import type { ChatTask } from '../../model/playground/chat-task.ts';
import type { Ports } from '../ports.ts';
import { PLAYGROUND_PROJECT_NAME } from './playground-project.ts';
import { type ChatRunOptions, type ChatTaskPorts, type ChatTaskResult, runChatTask } from './run-chat-task.ts';

/**
 * Runs a task once as it is, with the credentials of the server, and records its span in the project of the playground. Null
 * after an unexpected failure, which is reported.
 */
export async function completeChat(
  ports: ChatTaskPorts & Pick<Ports, 'reportFailure'>,
  task: ChatTask,
  options: ChatRunOptions,
): Promise<ChatTaskResult | null> {
  try {
    const run = { task, variables: null, projectName: PLAYGROUND_PROJECT_NAME, credentials: {} };
    return await runChatTask(ports, run, options);
  } catch (error) {
    ports.reportFailure(error, 'A chat completion failed');
    return null;
  }
}
