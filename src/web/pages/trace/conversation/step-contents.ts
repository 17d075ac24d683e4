import type { StepContentsData } from './generated/conversation.ts';

/** Content of a model call. */
export type ModelContent = Extract<StepContentsData['models'][number], { readonly __typename: 'Span' }>;
/** Content of any other step. */
export type OtherContent = Extract<StepContentsData['others'][number], { readonly __typename: 'Span' }>;
