import { type ExactJson, type ExactJsonObject, newJsonObject } from '../../base/exact-json.ts';
import { expectPresent } from '../../base/expect-present.ts';
import type { User } from '../../model/access/user.ts';
import type { Annotation } from '../../model/annotations/annotation.ts';
import { SpandrelError } from '../../model/errors.ts';
import { isJsonObject, joinAttributeParts } from '../../model/spans/nested-attributes.ts';
import type { SpanBody, SpanRow } from '../../model/spans/span.ts';
import { mayManage } from '../access/change-users.ts';
import type { Ports } from '../ports.ts';
import type { ExampleObjects } from './content-hash.ts';
import { decoded, readStoredObject } from './json-object.ts';
import { mergeReplies, toExampleMessages } from './span-messages.ts';

/** A user's ID as clients see it, which is stored with an annotation by contract. */
export type UserIdText = (userRowId: number) => string;

/**
 * A span as the content of an example: its metadata contains that of the span, its kind, and its annotations by name.
 */
export function toSpanExample(row: SpanRow, body: SpanBody, annotations: ExactJsonObject | undefined): ExampleObjects {
  const attributes = joinAttributeParts(body.attributeParts);
  const metadata = assign(newJsonObject(), decodedObject(attributes.metadata));
  metadata.span_kind = row.spanKind;
  if (annotations) metadata.annotations = annotations;
  return { input: toInput(row, body, attributes), output: toOutput(row, body, attributes), metadata };
}

/**
 * Examples by row id of the span, in the requested order.
 *
 * @throws {SpandrelError} `SPAN_NOT_FOUND` when one of them is not stored
 */
export async function readSpanExamples(
  ports: Pick<Ports, 'spans' | 'users' | 'caller'>,
  rowIds: readonly number[],
  userIdText: UserIdText,
): Promise<Map<number, ExampleObjects>> {
  const found = ports.spans.get({ of: 'spans', column: 'row', rowIds });
  const [rows, bodies, annotations] = await Promise.all([
    found,
    ports.spans.get({ of: 'spans', column: 'body', rowIds }),
    annotationsOfSpans(ports, rowIds, userIdText, found),
  ]);
  const of = <Value>(values: ReadonlyMap<number, Value>, id: number) =>
    expectPresent(values.get(id), 'the span is stored');
  return new Map(rowIds.map((id) => [id, toSpanExample(of(rows, id), of(bodies, id), of(annotations, id))]));
}

/** Annotations by name, by row id of the span. @param known Rows of the spans. @throws {SpandrelError} `SPAN_NOT_FOUND` */
export async function annotationsOfSpans(
  ports: Pick<Ports, 'spans' | 'users' | 'caller'>,
  rowIds: readonly number[],
  userIdText: UserIdText,
  known?: Promise<ReadonlyMap<number, SpanRow>>,
): Promise<Map<number, ExactJsonObject>> {
  if (rowIds.length === 0) return new Map();
  const [rows, annotations] = await Promise.all([
    known ?? ports.spans.get({ of: 'spans', column: 'row', rowIds }),
    ports.spans.get({ of: 'spans', column: 'annotations', rowIds }),
  ]);
  if (rowIds.some((rowId) => !rows.has(rowId))) {
    throw new SpandrelError('SPAN_NOT_FOUND', 'Some spans could not be found');
  }
  const userRowIds = new Set([...annotations.values()].flat().flatMap(({ userId }) => userId ?? []));
  const users = userRowIds.size === 0 ? new Map<number, User>() : await ports.users.findByRowIds([...userRowIds]);
  const toJson = (annotation: Annotation) => ({
    ...toAnnotationJson(annotation),
    ...toAuthorJson(annotation.userId === null ? undefined : users.get(annotation.userId), ports, userIdText),
  });
  return new Map(rowIds.map((rowId) => [rowId, byName(annotations.get(rowId) ?? [], toJson)]));
}

/** Annotations in the form of an example, without their authors. */
export const toAnnotationsJson = (annotations: readonly Annotation[]): ExactJsonObject =>
  byName(annotations, toAnnotationJson);

function byName(
  annotations: readonly Annotation[],
  toJson: (annotation: Annotation) => ExactJsonObject,
): ExactJsonObject {
  const names = newJsonObject();
  for (const annotation of annotations) {
    names[annotation.name] = [...((names[annotation.name] as ExactJson[] | undefined) ?? []), toJson(annotation)];
  }
  return names;
}

const toAnnotationJson = ({ label, score, explanation, metadata, annotatorKind }: Annotation): ExactJsonObject => ({
  label,
  score,
  explanation,
  metadata: readStoredObject(metadata),
  annotator_kind: annotatorKind,
});

/** Everyone who sees the dataset sees the author, so the email is stored only if the caller may see it elsewhere. */
const toAuthorJson = (
  author: User | undefined,
  { caller }: Pick<Ports, 'caller'>,
  userIdText: UserIdText,
): ExactJsonObject => ({
  user_id: author ? userIdText(author.rowId) : null,
  username: author?.username ?? null,
  email: author && mayManage(caller, author.rowId) ? author.email : null,
});

function toInput(row: SpanRow, body: SpanBody, attributes: ExactJsonObject): ExactJsonObject {
  const generic = () => toGeneric('input', body.input, row.input?.mimeType ?? null);
  if (row.spanKind !== 'LLM') return generic();
  const llm = isJsonObject(attributes.llm) ? attributes.llm : newJsonObject();
  const messages = toExampleMessages(llm.input_messages);
  const input = messages.length > 0 ? assign(newJsonObject(), { messages }) : generic();
  if (isJsonObject(llm.prompt_template)) assign(input, decodedObject(llm.prompt_template.variables));
  const tools = (Array.isArray(llm.tools) ? llm.tools : []).flatMap((item) => {
    const tool = isJsonObject(item) && isJsonObject(item.tool) ? item.tool.json_schema : undefined;
    return tool === undefined ? [] : [decoded(tool)];
  });
  if (tools.length > 0) input.tools = tools;
  return input;
}

function toOutput(row: SpanRow, body: SpanBody, attributes: ExactJsonObject): ExactJsonObject {
  if (row.spanKind === 'LLM' && isJsonObject(attributes.llm)) {
    const messages = mergeReplies(toExampleMessages(attributes.llm.output_messages));
    if (messages.length > 0) return assign(newJsonObject(), { messages });
  }
  if (row.spanKind === 'RETRIEVER' && isJsonObject(attributes.retrieval)) {
    const { documents } = attributes.retrieval;
    if (Array.isArray(documents) && documents.length > 0) {
      const unwrapped = documents.map((item) =>
        isJsonObject(item) && item.document !== undefined ? item.document : item,
      );
      return assign(newJsonObject(), { documents: unwrapped });
    }
  }
  return toGeneric('output', body.output, row.output?.mimeType ?? null);
}

/** A JSON object, or any other value under the name of the side. */
function toGeneric(side: 'input' | 'output', text: string | null, mimeType: string | null): ExactJsonObject {
  if (text === null) return newJsonObject();
  const value = mimeType?.toLowerCase().includes('json') ? decoded(text) : text;
  return isJsonObject(value) ? value : assign(newJsonObject(), { [side]: value });
}

const decodedObject = (value: ExactJson | undefined): ExactJsonObject => {
  const object = value === undefined ? undefined : decoded(value);
  return isJsonObject(object) ? object : newJsonObject();
};

function assign(into: ExactJsonObject, from: ExactJsonObject): ExactJsonObject {
  for (const [key, value] of Object.entries(from)) into[key] = value;
  return into;
}
