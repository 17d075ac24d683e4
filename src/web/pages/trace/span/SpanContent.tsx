import { type ReactNode, useMemo, useState } from 'react';
import {
  at,
  isObject,
  type Json,
  type JsonObject,
  list,
  parseAttributes,
  parseIfJson,
  readDocuments,
  readMessages,
  text,
} from '../../../../semconv/read-open-inference.ts';
import { Card, Switch } from '../../../components/values/Card.tsx';
import { JsonView } from '../../../components/values/JsonView.tsx';
import { TextView } from '../../../components/values/TextView.tsx';
import { errorReason } from '../../../format/errors.ts';
import { setPreference, usePreferences } from '../../../preferences/preferences.ts';
import { Documents } from './Documents.tsx';
import { Messages } from './Messages.tsx';
import type { SpanDetails } from './span-details.ts';

/** Content of a span by its kind. Unknown data is shown with the attributes. */
export function SpanContent({ span }: { readonly span: SpanDetails }) {
  const attributes = useMemo(() => parseAttributes(span.attributes), [span.attributes]);
  const given = attributes ?? {};
  const documents = readDocuments(at(given, 'retrieval.documents'));
  const reranked = readDocuments(at(given, 'reranker.output_documents'));
  const candidates = readDocuments(at(given, 'reranker.input_documents'));
  const isPlainOutputCovered = documents.length > 0 || reranked.length > 0;
  return (
    <>
      <Problem span={span} />
      {attributes === undefined && (
        <p className="problem">The attributes are not valid JSON. The Attributes tab shows them as text.</p>
      )}
      <Model attributes={given} />
      <Input span={span} attributes={given} />
      <Query value={at(given, 'reranker.query')} hasInput={span.input !== null} />
      {candidates.length > 0 && <Documents title="Documents to rank" documents={candidates} isCollapsedAtFirst />}
      {documents.length > 0 && <Documents title="Documents" documents={documents} spanNodeId={span.id} />}
      {reranked.length > 0 && <Documents title="Ranked documents" documents={reranked} />}
      <Embeddings value={at(given, 'embedding.embeddings')} />
      <Output span={span} attributes={given} isCollapsedAtFirst={isPlainOutputCovered} />
      <Tool attributes={given} />
      <Template value={at(given, 'llm.prompt_template')} />
      <Metadata value={span.metadata} />
      <p className="muted span-nothing">
        This span has no input and no output. The Attributes tab shows its other data.
      </p>
    </>
  );
}

function Problem({ span }: { readonly span: SpanDetails }) {
  if (span.statusCode !== 'ERROR') return null;
  return <p className="problem">{errorReason(span)}</p>;
}

function Model({ attributes }: { readonly attributes: JsonObject }) {
  const name = text(
    at(attributes, 'llm.model_name') ?? at(attributes, 'embedding.model_name') ?? at(attributes, 'reranker.model_name'),
  );
  const provider = text(at(attributes, 'llm.provider') ?? at(attributes, 'llm.system'));
  const parameters = parseIfJson(at(attributes, 'llm.invocation_parameters'));
  const topK = at(attributes, 'reranker.top_k');
  const chips: readonly (readonly [string, string])[] = [
    ...(name === undefined ? [] : [['model', name] as const]),
    ...(provider === undefined ? [] : [['provider', provider] as const]),
    ...(topK === undefined ? [] : [['top k', String(topK)] as const]),
    ...(isObject(parameters)
      ? Object.entries(parameters)
          .filter(([key]) => key !== 'model' && key !== 'messages' && key !== 'tools')
          .map(([key, value]) => [key, short(value)] as const)
      : []),
  ];
  if (chips.length === 0) return null;
  return (
    <div className="parameters">
      {chips.map(([label, value]) => (
        <span className="chip" key={label}>
          <span>{label}</span>
          <span>{value}</span>
        </span>
      ))}
    </div>
  );
}

function short(value: Json): string {
  const shown = typeof value === 'string' ? value : JSON.stringify(value);
  return shown.length > 120 ? `${shown.slice(0, 120)}…` : shown;
}

type View = 'messages' | 'tools' | 'prompts' | 'raw';

function Input({ span, attributes }: { readonly span: SpanDetails; readonly attributes: JsonObject }) {
  const messages = readMessages(at(attributes, 'llm.input_messages'));
  const tools = list(at(attributes, 'llm.tools'));
  const prompts = list(at(attributes, 'llm.prompts'));
  const views: readonly (readonly [View, string])[] = [
    ...(messages.length > 0 ? [['messages', 'Messages'] as const] : []),
    ...(tools.length > 0 ? [['tools', `Tools ${tools.length}`] as const] : []),
    ...(prompts.length > 0 ? [['prompts', 'Prompts'] as const] : []),
    ...(span.input ? [['raw', views0(messages.length + tools.length + prompts.length)] as const] : []),
  ];
  const [chosen, setChosen] = useState<View>();
  const view = views.find(([each]) => each === chosen)?.[0] ?? views[0]?.[0];
  if (view === undefined) return null;
  return (
    <Card
      title="Input"
      copies={span.input?.value}
      actions={
        <>
          <Switch label="Input as" values={views} value={view} onChange={setChosen} />
          {!(view === 'raw' && span.input && isStructure(span.input)) && <TextSwitch />}
        </>
      }
    >
      {view === 'messages' && <Messages messages={messages} />}
      {view === 'tools' && <Tools tools={tools} />}
      {view === 'prompts' &&
        prompts.map((prompt, index) => (
          <TextView key={String(index)} text={text(at(prompt, 'prompt.text') ?? prompt) ?? ''} />
        ))}
      {view === 'raw' && span.input && <Value {...span.input} />}
    </Card>
  );
}

const views0 = (others: number): string => (others > 0 ? 'Raw' : 'Value');

interface OutputProps {
  readonly span: SpanDetails;
  readonly attributes: JsonObject;
  readonly isCollapsedAtFirst: boolean;
}

function Output({ span, attributes, isCollapsedAtFirst }: OutputProps) {
  const messages = readMessages(at(attributes, 'llm.output_messages'));
  const asked = readMessages(at(attributes, 'llm.input_messages'));
  const views: readonly (readonly [View, string])[] = [
    ...(messages.length > 0 ? [['messages', 'Messages'] as const] : []),
    ...(span.output ? [['raw', views0(messages.length)] as const] : []),
  ];
  const [chosen, setChosen] = useState<View>();
  const view = views.find(([each]) => each === chosen)?.[0] ?? views[0]?.[0];
  if (view === undefined) return null;
  return (
    <Card
      title="Output"
      copies={span.output?.value}
      isCollapsedAtFirst={isCollapsedAtFirst}
      actions={
        <>
          <Switch label="Output as" values={views} value={view} onChange={setChosen} />
          {!(view === 'raw' && span.output && isStructure(span.output)) && <TextSwitch />}
        </>
      }
    >
      {view === 'messages' && <Messages messages={messages} calls={asked} />}
      {view === 'raw' && span.output && <Value {...span.output} />}
    </Card>
  );
}

/** Format of texts on all pages. */
export function TextSwitch() {
  const { textView } = usePreferences();
  return (
    <button
      type="button"
      className="button bare small"
      aria-pressed={textView === 'markdown'}
      title="Format texts as Markdown"
      onClick={() => setPreference('textView', textView === 'markdown' ? 'text' : 'markdown')}
    >
      Markdown
    </button>
  );
}

interface TypedValue {
  readonly mimeType: 'text' | 'json';
  readonly value: string;
}

/** Whether a value is shown as JSON, which has no Markdown. */
const isStructure = ({ mimeType, value }: TypedValue): boolean => mimeType === 'json' && isNested(parseIfJson(value));
const isNested = (value: Json | undefined): value is JsonObject | Json[] => isObject(value) || Array.isArray(value);

/** Shows a value by its MIME type. Invalid JSON is shown as text. */
export function Value({ mimeType, value }: TypedValue): ReactNode {
  const parsed = useMemo(() => (mimeType === 'json' ? parseIfJson(value) : undefined), [mimeType, value]);
  if (isNested(parsed)) return <JsonView value={parsed} />;
  return <TextView text={typeof parsed === 'string' ? parsed : value} />;
}

/** Query of a reranker, if it differs from the input. */
function Query({ value, hasInput }: { readonly value: Json | undefined; readonly hasInput: boolean }) {
  const query = text(value);
  if (query === undefined || hasInput) return null;
  return (
    <Card title="Query" copies={query}>
      <TextView text={query} />
    </Card>
  );
}

function Tools({ tools }: { readonly tools: readonly Json[] }) {
  return (
    <div className="messages">
      {tools.map((tool, index) => {
        const schema = parseIfJson(at(tool, 'tool.json_schema') ?? at(tool, 'json_schema') ?? tool);
        const name = text(at(schema, 'function.name') ?? at(schema, 'name')) ?? `Tool ${index + 1}`;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: tools may share a name
          <Card key={index} title={name} isCollapsedAtFirst={tools.length > 3}>
            <JsonView value={schema} openDepth={3} />
          </Card>
        );
      })}
    </div>
  );
}

function Tool({ attributes }: { readonly attributes: JsonObject }) {
  const tool = at(attributes, 'tool');
  if (!isObject(tool)) return null;
  const name = text(tool.name);
  const parameters = parseIfJson(tool.parameters ?? tool.json_schema);
  return (
    <Card title={name === undefined ? 'Tool' : `Tool: ${name}`}>
      <div className="message-parts">
        {tool.description !== undefined && <TextView text={text(tool.description) ?? ''} />}
        {parameters !== undefined && <JsonView value={parameters} />}
      </div>
    </Card>
  );
}

function Embeddings({ value }: { readonly value: Json | undefined }) {
  const texts = list(value).flatMap((item) => text(at(item, 'embedding.text')) ?? []);
  if (texts.length === 0) return null;
  return (
    <Card title={`Embedded texts, ${texts.length}`}>
      <div className="message-parts">
        {texts.slice(0, 50).map((each, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: texts may be the same
          <div key={index}>
            <TextView text={each} />
          </div>
        ))}
      </div>
    </Card>
  );
}

function Template({ value }: { readonly value: Json | undefined }) {
  if (!isObject(value)) return null;
  const variables = parseIfJson(value.variables);
  return (
    <Card title="Prompt template" isCollapsedAtFirst>
      <div className="message-parts">
        {value.template !== undefined && <TextView text={text(value.template) ?? ''} isCode />}
        {variables !== undefined && <JsonView value={variables} />}
      </div>
    </Card>
  );
}

function Metadata({ value }: { readonly value: string | null }) {
  if (value === null) return null;
  const parsed = parseIfJson(value);
  return (
    <Card title="Metadata" copies={value}>
      {isObject(parsed) || Array.isArray(parsed) ? <JsonView value={parsed} /> : <TextView text={value} />}
    </Card>
  );
}
