import { bindToPorts } from '../bind-to-ports.ts';
import type { Ports } from '../ports.ts';
import { completeChat } from './complete-chat.ts';
import { estimateRun } from './estimate/estimate-run.ts';
import { replaySpan } from './replay/replay-span.ts';
import { streamCells } from './stream-cells.ts';
import { streamChat } from './stream-chat.ts';

/** Calls to models on request of users. */
export const createPlaygroundOperations = (ports: Ports) =>
  bindToPorts(ports, { streamChat, streamCells, completeChat, replaySpan, estimateRun });

export type PlaygroundOperations = ReturnType<typeof createPlaygroundOperations>;
