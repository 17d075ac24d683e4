import { escapeHtml } from '../../base/escape-html.ts';
import type { HtmlPage } from '../../server/pages/html-page.ts';
import { BASE, PAGE_SCRIPT, PAGE_STYLE } from '../../server/pages/page-style.ts';
import type { Content, JsonSchema, OpenApiDocument, Operation, Parameter } from './openapi.ts';

/** A page for `openapi.json`: routes by tag, each with parameters, schemas and a request to copy. */
export function docsPage(document: OpenApiDocument): HtmlPage {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  const sections = document.tags.map(({ name }) => ({
    name,
    operations: operations.filter(({ operation }) => operation.tags.includes(name)),
  }));
  return {
    title: `${document.info.title} ${document.info.version}: REST interface`,
    style: PAGE_STYLE + STYLE,
    script: PAGE_SCRIPT + SCRIPT,
    body: `<div class="page">
<nav aria-label="Routes"><a class="name" href="./">← ${escapeHtml(document.info.title)}</a>
<input type="search" placeholder="Find a route" aria-label="Find a route">
${sections.map(toIndex).join('')}
<p class="tag">Schemas</p><ul>${Object.keys(document.components.schemas)
      .map((name) => `<li><a href="#shape-${escapeHtml(name)}">${escapeHtml(name)}</a></li>`)
      .join('')}</ul></nav>
<main><header><h1>REST interface</h1>
<p class="quiet">Version ${escapeHtml(document.info.version)} · <a href="openapi.json">openapi.json</a></p>
<p>${toProse(document.info.description)}</p></header>
${sections.map(toSection).join('')}
<section><h2>Schemas</h2>${Object.entries(document.components.schemas)
      .map(
        ([name, schema]) =>
          `<article id="shape-${escapeHtml(name)}"><h3>${escapeHtml(name)}</h3>${toShape(schema)}</article>`,
      )
      .join('')}</section></main></div>`,
  };
}

interface Entry {
  readonly path: string;
  readonly method: string;
  readonly operation: Operation;
}
interface Section {
  readonly name: string;
  readonly operations: readonly Entry[];
}

const toIndex = ({ name, operations }: Section): string =>
  `<p class="tag">${escapeHtml(name)}</p><ul>${operations
    .map(
      ({ method, operation }) =>
        `<li><a href="#${escapeHtml(operation.operationId)}"><b class="${method.toLowerCase()}">${method}</b> ${escapeHtml(operation.summary)}</a></li>`,
    )
    .join('')}</ul>`;

const toSection = ({ name, operations }: Section): string =>
  `<section><h2>${escapeHtml(name)}</h2>${operations.map(toArticle).join('')}</section>`;

function toArticle({ path, method, operation }: Entry): string {
  const body = operation.requestBody?.content['application/json'];
  return `<article id="${escapeHtml(operation.operationId)}">
<h3>${escapeHtml(operation.summary)}</h3>
<p class="path"><b class="${method.toLowerCase()}">${method}</b> <code>${escapeHtml(path)}</code></p>
${operation.description ? `<p>${toProse(operation.description)}</p>` : ''}
${toParameters(operation.parameters ?? [])}
${body ? `<h4>Body</h4>${toShape(body.schema)}` : ''}
<h4>Responses</h4><dl>${Object.entries(operation.responses).map(toAnswer).join('')}</dl>
<h4>Request</h4><div class="code"><pre>${toCurl(method, path, operation)}</pre></div>
${toExample(operation)}</article>`;
}

const toParameters = (parameters: readonly Parameter[]): string =>
  parameters.length === 0
    ? ''
    : `<h4>Parameters</h4><div class="wide"><table><tbody>${parameters.map(toRow).join('')}</tbody></table></div>`;

const toRow = ({ name, in: place, required, schema, description }: Parameter): string =>
  `<tr><th scope="row"><code>${escapeHtml(name)}</code></th><td class="quiet">${place}${required ? '' : ', optional'}</td>` +
  `<td><code>${toType(schema, 0)}</code>${toBounds(schema)}</td><td>${toProse(description ?? '')}</td></tr>`;

function toBounds(schema: JsonSchema): string {
  const bounds = [
    'default' in schema && `default ${JSON.stringify(schema.default)}`,
    'exclusiveMinimum' in schema && `above ${schema.exclusiveMinimum}`,
    'maximum' in schema && `at most ${schema.maximum}`,
    'maxItems' in schema && `at most ${schema.maxItems} times`,
  ].filter((bound) => bound !== false);
  return bounds.length === 0 ? '' : `<br><span class="quiet">${escapeHtml(bounds.join(', '))}</span>`;
}

function toAnswer([status, { description, content }]: [string, { description: string; content?: Content }]): string {
  const shapes = Object.entries(content ?? {}).map(([type, { schema }]) =>
    type === 'application/json'
      ? `<code>${toType(schema, 0)}</code>`
      : `<span class="quiet">${escapeHtml(type)}</span>`,
  );
  return `<dt class="${status < '300' ? 'good' : 'bad'}">${escapeHtml(status)}</dt><dd>${toProse(description)}${shapes.map((shape) => `<br>${shape}`).join('')}</dd>`;
}

function toExample({ responses }: Operation): string {
  const example = Object.values(responses)[0]?.content?.['application/json']?.example;
  if (example === undefined) return '';
  return `<details><summary>Example response</summary><div class="code"><pre>${escapeHtml(JSON.stringify(example, null, 2))}</pre></div></details>`;
}

/** A request with the names of the path's parameters and the example body. */
function toCurl(method: string, path: string, { requestBody }: Operation): string {
  const url = `${BASE}${escapeHtml(path.replace('{project_identifier}', 'default'))}`;
  const example = requestBody?.content['application/json']?.example;
  const verb = method === 'GET' ? '' : `-X ${method} `;
  if (example === undefined) return `curl ${verb}&#39;${url}&#39;`;
  const json = JSON.stringify(example).replaceAll("'", String.raw`'\''`);
  return `curl ${verb}&#39;${url}&#39; \\\n  -H &#39;content-type: application/json&#39; \\\n  -d &#39;${escapeHtml(json)}&#39;`;
}

const toShape = (schema: JsonSchema): string => `<pre>${toType(schema, 0)}</pre>`;

/** A schema as TypeScript would write it, as markup: references link to their shape. */
function toType(schema: JsonSchema, depth: number): string {
  if (typeof schema.$ref === 'string') {
    const name = escapeHtml(schema.$ref.split('/').at(-1) ?? '');
    return `<a href="#shape-${name}">${name}</a>`;
  }
  if (Array.isArray(schema.anyOf)) return schema.anyOf.map((option) => toType(option, depth)).join(' | ');
  if (Array.isArray(schema.enum)) return schema.enum.map((word) => escapeHtml(JSON.stringify(word))).join(' | ');
  if (schema.type === 'array') {
    const item = toType(schema.items as JsonSchema, depth);
    return item.includes(' | ') && !item.startsWith('{') ? `(${item})[]` : `${item}[]`;
  }
  if (schema.properties) return toObjectType(schema, depth);
  if (schema.format === 'date-time') return 'datetime';
  return escapeHtml(typeof schema.type === 'string' ? schema.type : 'any');
}

function toObjectType(schema: JsonSchema, depth: number): string {
  const indent = '  '.repeat(depth + 1);
  const required = new Set((schema.required ?? []) as string[]);
  const lines = Object.entries(schema.properties as Record<string, JsonSchema>).map(([key, field]) => {
    const comment = typeof field.description === 'string' ? `  <i>// ${escapeHtml(field.description)}</i>` : '';
    return `${indent}${escapeHtml(key)}${required.has(key) ? '' : '?'}: ${toType(field, depth + 1)}${comment}`;
  });
  return lines.length === 0 ? '{}' : `{\n${lines.join('\n')}\n${'  '.repeat(depth)}}`;
}

/** Text with its `code`. */
const toProse = (text: string): string => escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>');

const STYLE = `
.page{display:grid;grid-template-columns:300px minmax(0,1fr);max-width:1280px;margin:0 auto}
nav{position:sticky;top:0;height:100vh;overflow:auto;padding:28px 20px;border-right:1px solid var(--line)}
nav .name{font-weight:650;font-size:18px;letter-spacing:-.01em;color:var(--text)}
nav input{width:100%;margin:16px 0 4px;padding:7px 10px;font:inherit;color:inherit;background:var(--raised);border:1px solid var(--line);border-radius:7px}
nav .tag{margin:18px 0 4px;color:var(--quiet);font-size:12px;font-weight:600;text-transform:capitalize}
nav ul{list-style:none;margin:0;padding:0}nav li a{display:block;padding:3px 8px;margin:0 -8px;border-radius:6px;color:var(--text);font-size:14px}
nav li a:hover{background:var(--raised);text-decoration:none}
main{padding:28px 40px 30vh}
header{display:grid;gap:8px}h1{font-size:28px;letter-spacing:-.02em}
h2{margin:48px 0 0;font-size:20px;text-transform:capitalize}
h3{font-size:17px}h4{margin:10px 0 -4px;font-size:13px;color:var(--quiet);font-weight:600}
article{display:grid;gap:10px;padding:24px 0;border-bottom:1px solid var(--line);scroll-margin-top:8px}
article>*{min-width:0}
b{font:600 11px/1 var(--mono);letter-spacing:.02em}.get{color:var(--get)}.post{color:var(--post)}.put,.patch{color:var(--put)}.delete{color:var(--delete)}
.path b{font-size:13px}.path code{font-size:14px}
.wide{overflow:auto}table{border-collapse:collapse;width:100%;font-size:14px}
th,td{text-align:left;vertical-align:top;padding:7px 14px 7px 0;border-top:1px solid var(--line);font-weight:400}
tr:first-child>*{border-top:0}
dl{display:grid;grid-template-columns:auto minmax(0,1fr);gap:6px 16px;margin:0;font-size:14px}dt{font:600 13px/1.7 var(--mono)}dd{margin:0}
dd code{white-space:pre-wrap}
.good{color:var(--get)}.bad{color:var(--delete)}i{color:var(--quiet);font-style:normal}
summary{cursor:pointer;color:var(--quiet);font-size:13px;margin-bottom:8px}
@media(max-width:820px){.page{grid-template-columns:minmax(0,1fr)}nav{position:static;height:auto;border-right:0;border-bottom:1px solid var(--line)}main{padding:24px 20px}th,td{display:block;padding:2px 0;border:0}tr{display:block;padding:8px 0;border-top:1px solid var(--line)}}
`;

const SCRIPT = `
const search=document.querySelector('nav input');
search.addEventListener('input',()=>{
const words=search.value.toLowerCase().split(/\\s+/).filter(Boolean);
for(const item of document.querySelectorAll('nav li')){
const article=document.querySelector(item.firstChild.getAttribute('href'));
const text=(item.textContent+' '+(article.querySelector('.path')?.textContent??'')).toLowerCase();
item.hidden=!words.every((word)=>text.includes(word))}});
`;
