import type { ExactJsonObject } from '../../base/exact-json.ts';
import type { Authored } from '../access/author.ts';
import type { InvocationParameters, ModelProvider } from './prompt-parameters.ts';
import type { PromptTemplate, TemplateFormat } from './prompt-template.ts';
import type { PromptTools, ResponseFormat } from './prompt-tools.ts';

/** A prompt: a name with versions of a request to a model. */
export interface Prompt {
  readonly rowId: number;
  /** An identifier that never changes. */
  readonly name: string;
  readonly description: string | null;
  readonly metadata: ExactJsonObject;
  /** The prompt from which it was cloned. Null after that is deleted. */
  readonly sourcePromptId: number | null;
  readonly createdAt: Date;
  /** When it, or the list of its versions, last changed. */
  readonly updatedAt: Date;
}

export interface NewPrompt {
  readonly name: string;
  readonly description?: string | null | undefined;
  readonly metadata?: ExactJsonObject | null | undefined;
}

export type PromptRef = { readonly rowId: number } | { readonly name: string };

/** The prompt of a new version: of a name, created when it is not there; one that must be new; or one by row id. */
export type PromptOfVersion = { readonly named: NewPrompt } | { readonly new: NewPrompt } | { readonly rowId: number };

/** A tag by its row id, or by its name and any version of its prompt. */
export type PromptTagRef = { readonly rowId: number } | { readonly promptVersionId: number; readonly name: string };

/** Editable fields of a prompt. An absent field keeps its value. */
export interface PromptChanges {
  readonly description?: string | null | undefined;
  readonly metadata?: ExactJsonObject | undefined;
}

/** Content of a version. A field that was absent in the request is stored as absent. */
export interface PromptContent {
  readonly description: string | null;
  readonly modelProvider: ModelProvider;
  readonly modelName: string;
  readonly template: PromptTemplate;
  readonly templateFormat: TemplateFormat;
  readonly invocationParameters: InvocationParameters;
  readonly tools: PromptTools | null;
  readonly responseFormat: ResponseFormat | null;
  /** Custom provider to call instead of the public one. Null after it is deleted. */
  readonly customProviderId?: number | null;
}

/** A version never changes. Of the versions of a prompt, the one with a higher row id is later. */
export interface PromptVersion extends PromptContent, Authored {
  readonly rowId: number;
  readonly promptId: number;
  readonly metadata: ExactJsonObject;
  readonly createdAt: Date;
}

/** A movable name for one version of a prompt. */
export interface PromptVersionTag extends Authored {
  readonly rowId: number;
  /** An identifier, unique in the prompt. */
  readonly name: string;
  readonly description: string | null;
  readonly promptId: number;
  readonly promptVersionId: number;
}

/** A change of the version that a tag names. */
export interface PromptTagMove extends Authored {
  readonly tagName: string;
  /** Null when the tag was new. */
  readonly fromVersionId: number | null;
  /** Null when the tag was removed. */
  readonly toVersionId: number | null;
  readonly movedAt: Date;
}

export interface NewPromptVersionTag {
  readonly name: string;
  readonly description?: string | null | undefined;
}

/** A label that prompts can share. */
export interface PromptLabel {
  readonly rowId: number;
  readonly name: string;
  readonly description: string | null;
  /** A CSS color. */
  readonly color: string | null;
}

export interface NewPromptLabel {
  readonly name: string;
  readonly description: string | null;
  readonly color: string;
}
