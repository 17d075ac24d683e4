// The console page. All that is shown of answers and schema goes in as text, never as markup.
const find = (id) => document.getElementById(id);
const [query, variables, headers, answer, status] = ['query', 'variables', 'headers', 'answer', 'status'].map(find);
const HISTORY_COUNT_MAX = 30;
const EXAMPLE = `# Ctrl+Enter runs the query.
query {
  projects(first: 10) {
    edges {
      node {
        name
        traceCount
        tokenCountTotal
        endTime
      }
    }
  }
}
`;

const element = (name, text, ...children) => {
  const made = document.createElement(name);
  if (text) made.textContent = text;
  made.append(...children);
  return made;
};
const stored = (key) => {
  try {
    return JSON.parse(localStorage.getItem(`graphql-console-${key}`) ?? 'null');
  } catch {
    return null;
  }
};
const store = (key, value) => {
  try {
    localStorage.setItem(`graphql-console-${key}`, JSON.stringify(value));
  } catch {
    // Private windows keep nothing.
  }
};
const parseObject = (text, what) => {
  if (text.trim() === '') return {};
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${what} are not JSON: ${error.message}`);
  }
};

async function send(body) {
  const response = await fetch(location.pathname, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...parseObject(headers.value, 'The headers') },
    body: JSON.stringify(body),
  });
  return { status: response.status, text: await response.text() };
}

/* Running */

let runCount = 0;
async function run() {
  const turn = ++runCount;
  const startedAt = performance.now();
  status.textContent = 'Running …';
  try {
    const operationName = find('operation-box').hidden ? undefined : find('operation').value;
    const reply = await send({
      query: query.value,
      variables: parseObject(variables.value, 'The variables'),
      operationName,
    });
    if (turn !== runCount) return;
    const ms = Math.round(performance.now() - startedAt);
    status.textContent = `${reply.status} · ${ms} ms · ${(reply.text.length / 1024).toFixed(1)} KiB`;
    showAnswer(reply.text);
    remember();
  } catch (error) {
    if (turn !== runCount) return;
    status.textContent = '';
    answer.textContent = error.message;
  }
}

/** Indents JSON text without parsing it, so that its numbers stay as the server wrote them. */
function showAnswer(text) {
  const shown = document.createDocumentFragment();
  const paint = text.length < 1_000_000;
  let depth = 0;
  let plain = '';
  const add = (part, kind) => {
    if (!paint || !kind) {
      plain += part;
      return;
    }
    shown.append(plain);
    plain = '';
    const span = element('span', part);
    span.className = kind;
    shown.append(span);
  };
  const tokens = text.match(/"(?:\\.|[^"\\])*"|[{}[\],:]|[^\s{}[\],:"]+/g) ?? [];
  tokens.forEach((token, at) => {
    const next = tokens[at + 1];
    if (token === '{' || token === '[') {
      const isEmpty = next === '}' || next === ']';
      add(isEmpty ? token : `${token}\n${'  '.repeat(++depth)}`);
    } else if (token === '}' || token === ']') {
      const wasEmpty = tokens[at - 1] === '{' || tokens[at - 1] === '[';
      add(wasEmpty ? token : `\n${'  '.repeat(--depth)}${token}`);
    } else if (token === ',') add(`,\n${'  '.repeat(depth)}`);
    else if (token === ':') add(': ');
    else add(token, next === ':' ? 'key' : token.startsWith('"') ? 'text' : 'plain');
  });
  shown.append(plain);
  answer.replaceChildren(shown);
}

/* What is kept: the texts, and what was run */

function remember() {
  const entry = { query: query.value, variables: variables.value };
  const earlier = (stored('history') ?? []).filter(({ query: text }) => text !== entry.query);
  store('history', [entry, ...earlier].slice(0, HISTORY_COUNT_MAX));
  listHistory();
}

function listHistory() {
  const options = (stored('history') ?? []).map(({ query: text }, index) => {
    const line = text.split('\n').find((one) => one.trim() && !one.startsWith('#')) ?? '';
    const second = text.split('\n').find((one) => /^\s+\w/.test(one)) ?? '';
    const option = element('option', `${line.trim()} ${second.trim()}`.slice(0, 60));
    option.value = String(index);
    return option;
  });
  find('history').replaceChildren(element('option', '–'), ...options);
}

function keep() {
  store('draft', { query: query.value, variables: variables.value });
  const names = operationNames();
  find('operation-box').hidden = names.length < 2;
  const chosen = find('operation').value;
  find('operation').replaceChildren(...names.map((name) => element('option', name)));
  if (names.includes(chosen)) find('operation').value = chosen;
}

function operationNames() {
  const tokens = query.value.match(TOKEN) ?? [];
  let depth = 0;
  return tokens.filter((token, at) => {
    depth += token === '{' ? 1 : token === '}' ? -1 : 0;
    return depth === 0 && /^\w/.test(token) && ['query', 'mutation', 'subscription'].includes(tokens[at - 1]);
  });
}

/** Line breaks and indentation anew; strings and comments stay. */
function tidy() {
  let [depth, inside, text] = [0, 0, ''];
  const line = () => {
    text = `${text.trimEnd()}\n${'  '.repeat(depth)}`;
  };
  for (const token of query.value.match(TOKEN) ?? []) {
    if (token.startsWith('#')) {
      if (text.trim()) line();
      text += token;
      line();
    } else if (inside > 0 || token === '(') {
      inside += '([{'.includes(token) ? 1 : ')]}'.includes(token) ? -1 : 0;
      if (token === '(') text = text.trimEnd();
      else if (/\w$|[\])}"]$/.test(text) && /^[$@\w"[{]/.test(token)) text += /:$/.test(text) ? ' ' : ', ';
      text += token === ':' || token === '=' ? (token === ':' ? ': ' : ' = ') : token;
    } else if (token === '{') {
      depth++;
      text = `${text.trimEnd()} {`.trimStart();
      line();
    } else if (token === '}') {
      depth = Math.max(0, depth - 1);
      line();
      text += '}';
      line();
      if (depth === 0) text += '\n';
    } else if (token === ':') text = `${text.trimEnd()}: `;
    else {
      const isHead =
        depth === 0 || /(?:: |\.\.\. ?|\bon )$/.test(text) || token.startsWith('@') || /\.\.\.$/.test(text);
      if (!isHead && token !== 'on') line();
      text += token === '...' ? '...' : `${token} `;
      if (token === 'on') text = `${text.trimEnd().replace(/\.\.\.on$/, '... on')} `;
    }
  }
  query.value = `${text
    .replace(/[ \t]+\n/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()}\n`;
  keep();
}

/* Completion */

let schema;
let suggestions = { word: '', list: [] };
let chosen = 0;

function complete(showsAll) {
  suggestions = { word: '', list: [] };
  if (schema && query.selectionStart === query.selectionEnd) {
    const found = suggest(schema, query.value.slice(0, query.selectionStart));
    if (showsAll || (found.word !== '' && found.list.some(({ name }) => name !== found.word))) suggestions = found;
  }
  chosen = 0;
  showSuggestions();
}

function showSuggestions() {
  const buttons = suggestions.list.slice(0, 200).map((suggestion, index) => {
    const button = element('button', suggestion.name);
    button.type = 'button';
    button.tabIndex = -1;
    button.title = [suggestion.type, suggestion.description].filter(Boolean).join(' · ');
    button.setAttribute('role', 'option');
    button.setAttribute('aria-selected', String(index === chosen));
    button.addEventListener('mousedown', (event) => {
      event.preventDefault();
      take(index);
    });
    return button;
  });
  find('suggestions').replaceChildren(...buttons);
  buttons[chosen]?.scrollIntoView({ block: 'nearest' });
}

function take(index) {
  const { word, list } = suggestions;
  const end = query.selectionStart;
  query.setRangeText(list[index].name, end - word.length, end, 'end');
  complete(false);
  keep();
}

query.addEventListener('keydown', (event) => {
  const { list } = suggestions;
  if (event.key === ' ' && event.ctrlKey) complete(true);
  else if (event.key === 'Tab' && !event.shiftKey && list.length > 0) take(chosen);
  else if (event.key === 'Escape' && list.length > 0) {
    suggestions = { word: '', list: [] };
    showSuggestions();
  } else if ((event.key === 'ArrowRight' || event.key === 'ArrowLeft') && event.altKey && list.length > 0) {
    chosen = (chosen + (event.key === 'ArrowRight' ? 1 : list.length - 1)) % list.length;
    showSuggestions();
  } else if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) {
    const line = query.value.slice(0, query.selectionStart).split('\n').at(-1);
    const indent = /^\s*/.exec(line)[0] + (/[{(]\s*$/.test(line) ? '  ' : '');
    query.setRangeText(`\n${indent}`, query.selectionStart, query.selectionEnd, 'end');
    keep();
  } else return;
  event.preventDefault();
});

/* Documentation */

function typeLink(type) {
  const name = namedType(type);
  const [head, tail] = showType(type).split(name);
  const button = element('button', name);
  button.type = 'button';
  button.addEventListener('click', () => openType(name));
  return [head, button, tail];
}

function showMember(member) {
  const item = element('li');
  item.append(member.name);
  if (member.args?.length) {
    item.append('(');
    member.args.forEach((arg, index) => {
      item.append(index ? ', ' : '', `${arg.name}: `, ...typeLink(arg.type));
      if (arg.defaultValue) item.append(` = ${arg.defaultValue}`);
    });
    item.append(')');
  }
  if (member.type) item.append(': ', ...typeLink(member.type));
  if (member.description) item.append(element('p', member.description));
  return item;
}

function openType(name) {
  const type = schema.types.get(name);
  const members = [...(type.fields ?? []), ...(type.inputFields ?? []), ...(type.enumValues ?? [])];
  const list = element('ul', '', ...members.map(showMember));
  if (type.kind === 'UNION' || type.kind === 'INTERFACE') {
    for (const one of type.possibleTypes ?? []) list.append(element('li', '', ...typeLink(one)));
  }
  const back = element('button', '← All');
  back.type = 'button';
  back.addEventListener('click', showRoots);
  find('docs').replaceChildren(back, element('h2', name), element('p', type.description), list);
}

function showRoots() {
  const roots = [schema.queryType, schema.mutationType].filter(Boolean);
  const lists = roots.flatMap(({ name }) => [
    element('h2', name),
    element('ul', '', ...schema.types.get(name).fields.map(showMember)),
  ]);
  find('docs').replaceChildren(...lists);
}

find('find').addEventListener('input', () => {
  const wanted = find('find').value.trim().toLowerCase();
  if (!schema || wanted === '') return schema && showRoots();
  const list = element('ul');
  for (const type of schema.types.values()) {
    if (type.name.startsWith('__')) continue;
    if (type.name.toLowerCase().includes(wanted)) list.append(element('li', '', ...typeLink({ name: type.name })));
    for (const field of type.fields ?? type.inputFields ?? []) {
      if (!field.name.toLowerCase().includes(wanted)) continue;
      list.append(element('li', '', ...typeLink({ name: type.name }), `.${field.name}: `, ...typeLink(field.type)));
    }
    if (list.childElementCount > 200) break;
  }
  find('docs').replaceChildren(list);
});

const TYPE = 'kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name } } } }';
const INPUT = `name description defaultValue type { ${TYPE} }`;
const INTROSPECTION = `{ __schema { queryType { name } mutationType { name } subscriptionType { name }
  directives { name description } types { kind name description
  fields(includeDeprecated: true) { name description type { ${TYPE} } args { ${INPUT} } }
  inputFields { ${INPUT} } enumValues { name description } possibleTypes { kind name } } } }`;

async function loadSchema() {
  const { data } = JSON.parse((await send({ query: INTROSPECTION })).text);
  if (!data) return;
  schema = { ...data.__schema, types: new Map(data.__schema.types.map((type) => [type.name, type])) };
  showRoots();
}

/* The rest of the page */

async function copy(button, text) {
  const label = button.textContent;
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = 'Copied';
  } catch {
    prompt('Copy this:', text);
  }
  setTimeout(() => {
    button.textContent = label;
  }, 1500);
}

const address = location.origin + location.pathname;
const quote = (text) => `'${text.replaceAll("'", `'\\''`)}'`;
find('run').addEventListener('click', run);
find('tidy').addEventListener('click', tidy);
find('link').addEventListener('click', ({ currentTarget }) => {
  const state = new URLSearchParams({ query: query.value, variables: variables.value });
  void copy(currentTarget, `${address}#${state}`);
});
find('curl').addEventListener('click', ({ currentTarget }) => {
  let values = {};
  try {
    values = parseObject(variables.value, 'The variables');
  } catch (error) {
    status.textContent = error.message;
    return;
  }
  const body = JSON.stringify({ query: query.value, variables: values });
  void copy(currentTarget, `curl ${quote(address)} -H 'content-type: application/json' -d ${quote(body)}`);
});
find('history').addEventListener('change', () => {
  const entry = stored('history')?.[Number(find('history').value)];
  if (entry) [query.value, variables.value] = [entry.query, entry.variables];
  keep();
});
headers.addEventListener('change', () => void loadSchema().catch(() => {}));
for (const box of [query, variables]) box.addEventListener('input', keep);
query.addEventListener('input', () => complete(false));
document.addEventListener('keydown', (event) => {
  const isCommand = event.ctrlKey || event.metaKey;
  if (isCommand && event.key === 'Enter') void run();
  else if (isCommand && event.shiftKey && event.key.toLowerCase() === 'f') tidy();
  else return;
  event.preventDefault();
});

const linked = new URLSearchParams(location.hash.slice(1));
const draft = linked.has('query') ? Object.fromEntries(linked) : (stored('draft') ?? { query: EXAMPLE, variables: '' });
[query.value, variables.value] = [draft.query ?? '', draft.variables ?? ''];
keep();
listHistory();
loadSchema().catch((error) => {
  status.textContent = `The schema cannot be read: ${error.message}`;
});
