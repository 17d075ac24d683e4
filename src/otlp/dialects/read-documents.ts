import { type ExactJson, isJsonObject } from '../../base/exact-json.ts';
import type { Document } from './dialect.ts';
import { asText, fieldOf, numberOf, parseIfJson } from './span-view.ts';

/** Documents in the forms of OpenTelemetry, LangChain (`page_content`), MLflow and LlamaIndex (`node`). */
export function readDocuments(value: ExactJson | undefined): Document[] | undefined {
  const parsed = value === undefined ? undefined : parseIfJson(value);
  const list = Array.isArray(parsed) ? parsed : fieldOf(parsed, 'documents', 'output', 'nodes');
  if (!Array.isArray(list) || !list.every((item) => isJsonObject(item) || typeof item === 'string')) return undefined;
  const documents = list.map((item) => (typeof item === 'string' ? { content: item } : toDocument(item)));
  return documents.every((document) => document === undefined)
    ? undefined
    : documents.map((document) => document ?? {});
}

function toDocument(item: ExactJson): Document | undefined {
  const node = fieldOf(item, 'kwargs', 'node', 'document') ?? item;
  const id = fieldOf(node, 'id', 'id_', 'doc_id', 'document_id') ?? fieldOf(item, 'id');
  const content = fieldOf(node, 'content', 'page_content', 'pageContent', 'text');
  const score = numberOf(fieldOf(item, 'score', 'relevance_score', 'similarity'));
  if (content === undefined && id === undefined && score === undefined) return undefined;
  return {
    id: id === undefined || Array.isArray(id) ? undefined : asText(id),
    content: content === undefined ? undefined : asText(content),
    score,
    metadata: fieldOf(node, 'metadata'),
  };
}
