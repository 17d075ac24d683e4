import { send } from '../../data/request.ts';
import type { AddedCases } from './add-cases.ts';
import { addSpanExample } from './generated/cases.ts';

interface EditedExample {
  readonly datasetId: string;
  readonly spanId: string;
  readonly input: object;
  readonly output: object;
  readonly metadata: object;
  readonly splitNames: readonly string[];
  readonly keepsRepeated: boolean;
}

/** Adds one example with the content that the user has edited. */
export async function addOne(input: EditedExample, signal: AbortSignal): Promise<AddedCases> {
  const { addSpanExample: added } = await send(addSpanExample, { input }, signal);
  return {
    added_count: added.addedCount,
    repeated_span_count: added.repeatedSpanCount,
    repeated_content_count: added.repeatedContentCount,
  };
}
