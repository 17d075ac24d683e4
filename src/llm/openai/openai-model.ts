import type { ConnectionOf, ProtocolModel } from '../protocol.ts';

export type OpenAiConnection = ConnectionOf<'openai'> | ConnectionOf<'azure_openai'>;
export type OpenAiModel = ProtocolModel<OpenAiConnection>;
