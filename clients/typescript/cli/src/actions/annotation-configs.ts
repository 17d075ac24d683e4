import type { Action, Invocation } from '../command-line/command.ts';
import { UsageError } from '../command-line/command.ts';
import { readPages } from './pages.ts';

export const listAnnotationConfigs: Action = async ({ client, number, out, signal }) => {
  const server = await client();
  const configs = readPages(
    (cursor) => server.GET('/v1/annotation_configs', { params: { query: { limit: 100, cursor } }, signal }),
    number('limit'),
  );
  await out.list(
    configs,
    [
      { title: 'NAME', text: ({ name }) => name },
      { title: 'TYPE', text: ({ type }) => type },
      { title: 'ID', text: ({ id }) => id },
      { title: 'DESCRIPTION', text: ({ description }) => description },
    ],
    'No annotation configs.',
  );
};

export const getAnnotationConfig: Action = async ({ client, argument, out, signal }) => {
  const params = { path: { config_identifier: argument(0) } };
  const { data } = await (await client()).GET('/v1/annotation_configs/{config_identifier}', { params, signal });
  await out.item(data?.data, () => JSON.stringify(data?.data, null, 2));
};

export const createAnnotationConfig: Action = async (invocation) => {
  const { client, text, out, signal } = invocation;
  const type = text('type') ?? 'CATEGORICAL';
  const body = { type, name: text('name'), optimization_direction: 'NONE', ...fieldsOf(invocation, type) };
  if (type === 'CATEGORICAL' && !('values' in body)) {
    throw new UsageError('A categorical config needs --value <label[=score]>, which may be repeated.');
  }
  // The server checks the fields of each type.
  const { data } = await (await client()).POST('/v1/annotation_configs', { body: body as never, signal });
  await out.item(data?.data, () => `Created annotation config ${data?.data.name} (${data?.data.id}).`);
};

export const updateAnnotationConfig: Action = async (invocation) => {
  const { client, argument, text, out, signal } = invocation;
  const server = await client();
  const found = await server.GET('/v1/annotation_configs/{config_identifier}', {
    params: { path: { config_identifier: argument(0) } },
    signal,
  });
  const config = found.data?.data;
  if (!config) return;
  const { id, ...current } = config;
  const name = text('name');
  const body = { ...current, ...(name !== undefined && { name }), ...fieldsOf(invocation, config.type) };
  const params = { path: { config_id: id } };
  const { data } = await server.PUT('/v1/annotation_configs/{config_id}', { params, body: body as never, signal });
  await out.item(data?.data, () => `Changed annotation config ${data?.data.name} (${data?.data.id}).`);
};

/** The fields that flags set. */
function fieldsOf({ text, number, list }: Invocation, type: string): Record<string, unknown> {
  const values = valuesOf(text('values'), list('value'));
  if (values !== undefined && type !== 'CATEGORICAL') throw new UsageError('Only a categorical config has values.');
  const given = {
    description: text('description'),
    optimization_direction: text('optimization-direction'),
    lower_bound: number('lower-bound'),
    upper_bound: number('upper-bound'),
    threshold: number('threshold'),
    values,
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

function valuesOf(json: string | undefined, texts: readonly string[]): unknown {
  if (json !== undefined && texts.length > 0) throw new UsageError('Pass --value or --values, and not both.');
  if (json !== undefined) {
    try {
      return JSON.parse(json);
    } catch {
      throw new UsageError(`--values must be JSON such as '[{"label":"good","score":1}]', received "${json}".`);
    }
  }
  return texts.length === 0 ? undefined : texts.map(toValue);
}

function toValue(text: string): { label: string; score?: number } {
  const at = text.lastIndexOf('=');
  const score = at < 0 ? Number.NaN : Number(text.slice(at + 1));
  if (at <= 0 || text.slice(at + 1).trim() === '' || !Number.isFinite(score)) return { label: text };
  return { label: text.slice(0, at), score };
}
