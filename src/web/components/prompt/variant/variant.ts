import type { Json, JsonObject } from '../../../../semconv/read-open-inference.ts';
import type { TemplateSyntax } from '../../../../semconv/template-tags.ts';

/** The newest version, unless a version or a tag is named. */
export interface PromptAddress {
  readonly promptId: string;
  readonly versionId: string | undefined;
  readonly tagName: string | undefined;
}

/** A prompt with its model, as a column of the playground edits it. Texts of JSON stay as typed. */
export interface Variant {
  readonly id: string;
  readonly messages: readonly EditedMessage[];
  readonly format: TemplateSyntax;
  readonly model: ModelChoice;
  /** Values by the names of the vendor. */
  readonly parameters: JsonObject;
  readonly tools: readonly EditedTool[];
  readonly toolChoice: ToolChoice;
  readonly isSerial: boolean;
  /** JSON text of a named schema: `{"name", "description", "schema", "strict"}`. Null for free text. */
  readonly responseFormat: string | null;
  /** The stored version that the variant was loaded from, or saved as. */
  readonly source: PromptSource | null;
}

export interface PromptSource {
  readonly promptId: string;
  readonly versionId: string;
  /** Set when the version was chosen by its tag. */
  readonly tagName: string | null;
  readonly promptName: string;
  readonly sequenceNumber: number;
  /** Fingerprint of the stored content. Another one of the variant means unsaved changes. */
  readonly fingerprint: string;
}

export type MessageRole = 'system' | 'user' | 'ai' | 'tool';

export interface EditedMessage {
  readonly id: string;
  readonly role: MessageRole;
  readonly parts: readonly EditedPart[];
}

export type EditedPart = { readonly id: string } & PartBody;

export type PartBody =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly url: string }
  | { readonly type: 'toolCall'; readonly callId: string; readonly name: string; readonly arguments: string }
  /** `result` is text or JSON text. */
  | { readonly type: 'toolResult'; readonly callId: string; readonly result: string };

/** JSON text of a tool in the form of the vendor. */
export interface EditedTool {
  readonly id: string;
  readonly text: string;
}

/** `default` leaves the choice to the vendor. */
export type ToolChoice =
  | { readonly type: 'default' | 'none' | 'zero_or_more' | 'one_or_more' }
  | { readonly type: 'specific_function'; readonly name: string };

export interface ModelChoice {
  readonly provider: ModelProvider;
  readonly name: string;
  readonly customProviderId: string | null;
  readonly api: 'CHAT_COMPLETIONS' | 'RESPONSES';
  readonly connection: Connection;
}

/** Address of the vendor. Absent fields mean its own. */
export interface Connection {
  readonly baseUrl?: string;
  readonly azureEndpoint?: string;
  readonly regionName?: string;
  readonly endpointUrl?: string;
  readonly organization?: string;
  readonly project?: string;
}

export const MODEL_PROVIDERS = [
  'OPENAI',
  'AZURE_OPENAI',
  'ANTHROPIC',
  'GOOGLE',
  'AWS',
  'DEEPSEEK',
  'XAI',
  'OLLAMA',
  'CEREBRAS',
  'FIREWORKS',
  'GROQ',
  'MOONSHOT',
  'PERPLEXITY',
  'TOGETHER',
] as const;
export type ModelProvider = (typeof MODEL_PROVIDERS)[number];

/** Vendors with the same names of parameters and form of tools. */
export type Family = 'openai' | 'anthropic' | 'google' | 'aws';

const FAMILIES: ReadonlyMap<ModelProvider, Family> = new Map([
  ['ANTHROPIC', 'anthropic'],
  ['GOOGLE', 'google'],
  ['AWS', 'aws'],
]);

export const familyOf = (provider: ModelProvider): Family => FAMILIES.get(provider) ?? 'openai';

export const isProvider = (value: unknown): value is ModelProvider =>
  (MODEL_PROVIDERS as readonly unknown[]).includes(value);

/** Identifies a part of the draft for as long as it exists. */
export const newId = (): string => Math.random().toString(36).slice(2, 10);

export const textPart = (text: string): EditedPart => ({ id: newId(), type: 'text', text });

export const newMessage = (role: MessageRole, text = ''): EditedMessage => ({
  id: newId(),
  role,
  parts: [textPart(text)],
});

export const DEFAULT_MODEL: ModelChoice = {
  provider: 'OPENAI',
  name: 'gpt-4o-mini',
  customProviderId: null,
  api: 'CHAT_COMPLETIONS',
  connection: {},
};

/** First variant of an empty playground. */
export const newVariant = (model: ModelChoice = DEFAULT_MODEL, parameters: JsonObject = {}): Variant => ({
  id: newId(),
  messages: [newMessage('system', 'You are a helpful assistant.'), newMessage('user', '{{question}}')],
  format: 'MUSTACHE',
  model,
  parameters,
  tools: [],
  toolChoice: { type: 'default' },
  isSerial: false,
  responseFormat: null,
  source: null,
});

/** A copy with identities of its own. */
export const copyVariant = (variant: Variant): Variant => ({
  ...variant,
  id: newId(),
  messages: variant.messages.map((message) => ({
    ...message,
    id: newId(),
    parts: message.parts.map((part) => ({ ...part, id: newId() })),
  })),
  tools: variant.tools.map((tool) => ({ ...tool, id: newId() })),
});

/** The value of a JSON text, or undefined for a text that is not JSON. */
export function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** A list with one item at another index, which is kept within the list. */
export function moveItem<Item extends { readonly id: string }>(
  items: readonly Item[],
  id: string,
  to: number,
): readonly Item[] {
  const from = items.findIndex((item) => item.id === id);
  if (from < 0) return items;
  const target = Math.min(items.length - 1, Math.max(0, to));
  return items.toSpliced(from, 1).toSpliced(target, 0, items[from]!);
}
