import type { StepContentsData } from './generated/conversation.ts';

/** What is read of a call of a model. */
export type ModelContent = Extract<StepContentsData['models'][number], { readonly __typename: 'Span' }>;
/** What is read of any other step. */
export type OtherContent = Extract<StepContentsData['others'][number], { readonly __typename: 'Span' }>;
