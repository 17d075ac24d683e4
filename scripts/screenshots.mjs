#!/usr/bin/env node
// Pictures of every screen, to look at: both themes, three widths, with the sample project, with nothing, and with data at
// the edge of what can be shown (huge-project.mjs), and of sign-in and administration (access-screens.mjs). Starts the built server on a new data directory, and writes PNGs outside
// of the repository.
//
//   node scripts/screenshots.mjs [folder] [pattern of screens' names] [which, as in light-1440,dark-420]
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { accessScreens } from './access-screens.mjs';
import { comparisonScreens } from './comparison-screens.mjs';
import { dashboardScreens } from './dashboard-screens.mjs';
import { dataScreens, emptyScreens } from './data-screens.mjs';
import { datasetFileScreens } from './dataset-file-screens.mjs';
import { evaluatorScreens } from './evaluator-screens.mjs';
import { HUGE_PROJECT, sendHugeProject } from './huge-project.mjs';
import { onlineScreens } from './online-screens.mjs';
import { playgroundScreens } from './playground-screens.mjs';

const [folder = join(tmpdir(), 'spandrel-screenshots'), pattern = '', which] = process.argv.slice(2);
const wanted = new RegExp(pattern);
const variants =
  which?.split(',') ?? ['light', 'dark'].flatMap((theme) => [1440, 1024, 420].map((w) => `${theme}-${w}`));
const browserPath = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find(existsSync);
if (!browserPath) {
  console.error('No Chromium here: bash scripts/install-test-packages.sh');
  process.exit(2);
}
mkdirSync(folder, { recursive: true });
const servers = [];
const url = await startServer().catch(async (error) => {
  await stopServers();
  throw error;
});
const browser = await chromium.launch({ executablePath: browserPath, args: ['--no-sandbox'] });
try {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.goto(`${url}/projects`);
  await page.getByRole('button', { name: 'Create project' }).click();
  await page.getByRole('textbox', { name: /^Name/ }).fill('my-first-app');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByText('Waiting for the first trace').waitFor();
  const emptyProject = page.url();
  await page.goto(`${url}/projects`);
  await page.getByRole('button', { name: 'Load sample project' }).click();
  await page.getByRole('table', { name: 'Spans' }).locator('.table-row').first().waitFor();
  const project = page.url().split('?')[0];
  const traces = await page
    .locator('.table-row a')
    .evaluateAll((links) => links.map((link) => link.href.split('?')[0]));
  await page.getByRole('link', { name: 'Sessions' }).click();
  await page.getByRole('table', { name: 'Sessions' }).locator('.table-row a').first().waitFor();
  const [session] = (await page.locator('.table-row a').first().getAttribute('href')).split('?');
  const failed = await failedTrace();
  await createConfigs();
  const screens = [
    ['projects', `${url}/projects`],
    ['onboarding', emptyProject],
    ['project-spans', `${project}/spans?timeRangeKey=1d`],
    ['project-all-spans', `${project}/spans?timeRangeKey=1d&spans=all`],
    ['project-traces', `${project}/traces?timeRangeKey=1d`],
    ['project-sessions', `${project}/sessions?timeRangeKey=1d`],
    ['project-metrics', `${project}/metrics?timeRangeKey=1d`],
    [
      'project-metrics-cursor',
      `${project}/metrics?timeRangeKey=1d`,
      (tab) => tab.locator('.chart-plot').nth(1).hover(),
    ],
    ['project-config', `${project}/config`],
    ['project-nothing', `${project}/spans?timeRangeStart=2020-01-01T00:00:00Z&timeRangeEnd=2020-01-02T00:00:00Z`],
    ['trace', traces[1]],
    [
      'trace-llm',
      traces[1],
      (tab) =>
        tab
          .locator('.tree-row', { hasText: /choose_action|compose_answer/ })
          .last()
          .click(),
    ],
    ['trace-retriever', traces[1], (tab) => tab.locator('.tree-row', { hasText: 'search_handbook' }).click()],
    ['trace-attributes', `${traces[1]}?spanView=attributes`],
    ['trace-conversation', `${traces[1]}?traceView=conversation`],
    ['trace-graph', `${traces[1]}?traceView=graph`, chooseTool],
    ['trace-otlp', `${traces[1]}?spanView=raw`],
    ['trace-drawer', `${project}/traces?timeRangeKey=1d`, openDrawer],
    ['trace-annotate', traces[0], annotate],
    ['trace-annotations', `${traces[0]}?aside=annotations`],
    ['compare', `${project}/traces?timeRangeKey=1d`, compareTwo],
    ['trace-annotate-trace', traces[0], (tab) => tab.keyboard.press('Shift+E')],
    ['trace-failed', failed],
    ['trace-events', `${failed}?spanView=events`],
    ['session', new URL(session, url).href],
    ['session-beside', new URL(session, url).href, (tab) => tab.getByRole('button', { name: /spans/ }).first().click()],
    ['session-traces', `${new URL(session, url).href}?sessionView=traces`],
    ['settings', `${url}/settings`],
    ['settings-models', `${url}/settings/models`],
    [
      'settings-new-model',
      `${url}/settings/models`,
      (tab) => tab.getByRole('button', { name: 'Create model' }).click(),
    ],
    ['settings-annotations', `${url}/settings/annotations`],
    [
      'settings-new-config',
      `${url}/settings/annotations`,
      (tab) => tab.getByRole('button', { name: 'Create config' }).click(),
    ],
    ['settings-retention', `${url}/settings/retention`],
    ['settings-ingest', `${url}/settings/ingest`],
    ['settings-about', `${url}/settings/about`],
    ['not-found', `${url}/no/such/place`],
    ['trace-not-found', `${project}/traces/00000000000000000000000000000000`],
    ['palette', `${project}/spans?timeRangeKey=1d`, (tab) => tab.keyboard.press('Control+k')],
    ['keyboard', `${url}/projects`, (tab) => tab.keyboard.press('?')],
    ['time-range', `${project}/spans?timeRangeKey=1d`, (tab) => tab.getByRole('button', { name: 'Last day' }).click()],
    ['columns', `${project}/spans?timeRangeKey=1d`, (tab) => tab.getByRole('button', { name: 'Columns' }).click()],
    ['views', `${project}/spans?timeRangeKey=1d`, (tab) => tab.getByRole('button', { name: 'Views' }).click()],
    ['unfolded', `${project}/traces?timeRangeKey=1d`, (tab) => tab.locator('.row-fold').nth(1).click()],
    ['selection', `${project}/spans?timeRangeKey=1d`, selectRows],
    [
      'add-to-dataset',
      `${project}/spans?timeRangeKey=1d`,
      async (tab) => {
        await tab.getByRole('button', { name: 'Add the listed spans to a dataset' }).click();
        await tab.locator('.example-preview header').waitFor();
        await tab.getByText('Mapping', { exact: true }).click();
        await tab.getByRole('button', { name: 'By path' }).first().click();
      },
    ],
    [
      'add-one-to-dataset',
      traces[1],
      async (tab) => {
        await tab.getByRole('button', { name: 'Add the span to a dataset' }).click();
        await tab.getByRole('textbox', { name: 'Input as JSON' }).waitFor();
      },
    ],
    ['new-project', `${url}/projects`, (tab) => tab.getByRole('button', { name: 'Create project' }).click()],
  ];
  await shootAll(screens);
  if (pattern === '' || pattern.includes('comparison')) await shootAll(await comparisonScreens(url));
  if (pattern === '' || /dataset|settings/.test(pattern)) await shootAll(await datasetFileScreens(url));
  if (pattern === '' || /example|version|experiment|prompt|metrics/.test(pattern)) {
    await shootAll(await dataScreens(url));
  }
  if (pattern === '' || /empty|nothing/.test(pattern)) await shootAll(emptyScreens(await startServer()));
  if (pattern === '' || pattern.includes('evaluator')) await shootAll(await evaluatorScreens(url));
  if (pattern === '' || pattern.includes('dashboard')) await shootAll(await dashboardScreens(url, project));
  if (pattern === '' || pattern.includes('huge')) await shootAll(await hugeScreens());
  if (pattern === '' || pattern.includes('access')) await shootAll(await accessScreens(startServer));
  for (const [own, open] of [
    [/playground|providers|sandbox/, playgroundScreens],
    [/online/, onlineScreens],
  ]) {
    if (pattern !== '' && !own.test(pattern)) continue;
    const { screens: ofModels, stop } = await open(startServer);
    try {
      await shootAll(ofModels);
    } finally {
      stop();
    }
  }
  console.log(folder);

  async function shootAll(list) {
    for (const [name, address, act, cookies] of list.filter(([each]) => wanted.test(each))) {
      for (const variant of variants) {
        const [theme, width] = variant.split('-');
        await shoot(name, address, act, theme, Number(width), cookies);
      }
    }
  }

  /** Ways to judge the sample project. */
  async function createConfigs() {
    const id = decodeURIComponent(new URL(project).pathname.split('/')[2]);
    const values = [
      { label: 'correct', score: 1 },
      { label: 'incomplete', score: 0.5 },
      { label: 'wrong', score: 0 },
    ];
    const description = 'Is what the assistant says true, by the documents?';
    for (const annotationConfig of [
      { categorical: { name: 'correctness', description, optimizationDirection: 'MAXIMIZE', values } },
      { continuous: { name: 'tone', optimizationDirection: 'MAXIMIZE', lowerBound: 0, upperBound: 1 } },
    ]) {
      const { createAnnotationConfig: made } = await graphql(
        `mutation ($input: CreateAnnotationConfigInput!) {
           createAnnotationConfig(input: $input) { annotationConfig { ... on Node { id } } } }`,
        { input: { annotationConfig } },
      );
      await graphql(
        `mutation ($input: [AddAnnotationConfigToProjectInput!]!) {
           addAnnotationConfigToProject(input: $input) { __typename } }`,
        { input: [{ projectId: id, annotationConfigId: made.annotationConfig.id }] },
      );
    }
  }

  async function hugeScreens() {
    const { bigTraceId, oddTraceId } = await sendHugeProject(url);
    const id = await untilStored();
    const place = `${url}/projects/${encodeURIComponent(id)}`;
    const spans = `${place}/spans?timeRangeKey=1d`;
    const traces = `${place}/traces?timeRangeKey=1d`;
    const big = `${place}/traces/${bigTraceId}`;
    const odd = `${place}/traces/${oddTraceId}`;
    const row = (number) => (tab) => tab.locator('.tree-row').nth(number).click();
    const press = (name) => (tab) => tab.getByRole('button', { name, exact: true }).click();
    const bulk = (name) => async (tab) => {
      await selectRows(tab);
      await tab.getByRole('region', { name: 'Selected rows' }).getByRole('button', { name }).click();
    };
    return [
      ['huge-projects', `${url}/projects`],
      ['huge-projects-table', `${url}/projects`, (tab) => tab.getByRole('button', { name: 'Table' }).click()],
      ['huge-spans', spans],
      ['huge-all-spans', `${spans}&spans=all`],
      ['huge-traces', traces],
      ['huge-unfolded', traces, (tab) => tab.locator('.row-fold').last().click()],
      ['huge-sessions', `${place}/sessions?timeRangeKey=1d`],
      ['huge-metrics', `${place}/metrics?timeRangeKey=1d`],
      ['huge-config', `${place}/config`],
      ['huge-filter', spans, (tab) => tab.getByRole('combobox', { name: 'Filter' }).click()],
      ['huge-columns', `${spans}&spans=all`, press('Columns')],
      ['huge-selection', spans, selectRows],
      ['huge-annotate-rows', spans, bulk('Annotate')],
      ['huge-move', spans, bulk('Move')],
      ['huge-export', spans, bulk('Export')],
      ['huge-delete', spans, bulk('Delete')],
      ['huge-trace', big],
      ['huge-trace-annotations', `${big}?aside=annotations`],
      ['huge-trace-graph', `${big}?traceView=graph`],
      ['huge-odd', odd],
      ['huge-odd-llm', odd, row(1)],
      ['huge-odd-retriever', odd, row(2)],
      ['huge-odd-failed', `${odd}?spanView=events`, row(3)],
      ['huge-odd-20mb', odd, row(4)],
      ['huge-odd-attributes', `${odd}?spanView=attributes`, row(1)],
      ['huge-odd-conversation', `${odd}?traceView=conversation`],
      ['huge-odd-graph', `${odd}?traceView=graph`],
      ['huge-session', `${url}/redirects/sessions/${encodeURIComponent('five hundred turns')}`],
      ['huge-session-traces', `${url}/redirects/sessions/${encodeURIComponent('five hundred turns')}`, press('Traces')],
      ['huge-annotations', `${url}/settings/annotations`],
      ['huge-storage', `${url}/settings/about`],
      ['huge-ingest', `${url}/settings/ingest`],
      ['huge-palette', spans, (tab) => tab.keyboard.press('Control+k')],
    ];
  }

  /** @returns Global ID of the project, once all that was sent can be read. */
  async function untilStored() {
    for (let attempt = 0; attempt < 600; attempt++) {
      const { getProjectByName: found } = await graphql(
        'query ($name: String!) { getProjectByName(name: $name) { id recordCount } }',
        { name: HUGE_PROJECT },
      );
      if (found?.recordCount >= 100_505) return found.id;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    throw new Error('The huge project did not arrive');
  }

  async function failedTrace() {
    await page.goto(`${project}/traces?timeRangeKey=1d`);
    const row = page.locator('.table-row', { has: page.locator('.status-error') }).first();
    await row.waitFor();
    return new URL(await row.locator('a').first().getAttribute('href'), url).href.split('?')[0];
  }
} finally {
  await browser.close();
  await stopServers();
}

async function stopServers() {
  for (const { child, dataDir } of servers) {
    // One that could not start has ended.
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGTERM');
      await new Promise((resolve) => child.once('exit', resolve));
    }
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Starts the built server on a new data directory. Returns its URL. */
async function startServer(env = {}) {
  const dataDir = mkdtempSync(join(tmpdir(), 'screenshots-'));
  const [port, grpcPort] = [await freePort(), await freePort()];
  const child = spawn(process.execPath, [fileURLToPath(new URL('../dist/server/main.js', import.meta.url)), 'serve'], {
    env: {
      ...process.env,
      SERVICE_HOST: '127.0.0.1',
      SERVICE_PORT: String(port),
      SERVICE_GRPC_PORT: String(grpcPort),
      SERVICE_WORKING_DIR: dataDir,
      ...env,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  servers.push({ child, dataDir });
  const address = `http://127.0.0.1:${port}`;
  await waitUntilReady(address);
  return address;
}

async function shoot(name, address, act, colorScheme, width, cookies = []) {
  const height = width === 420 ? 860 : width === 1024 ? 768 : 900;
  const page = await browser.newPage({ viewport: { width, height }, colorScheme });
  // What is out of sight in a narrow window has no picture.
  page.setDefaultTimeout(15_000);
  await page.context().addCookies(cookies);
  await page.goto(address, { waitUntil: 'load' });
  await settle(page);
  try {
    await act?.(page);
    await page.waitForTimeout(act ? 500 : 0);
  } catch (error) {
    console.error(`${name}, ${width} px: ${error.message.split('\n')[0]}`);
  }
  await page.screenshot({ path: join(folder, `${name}-${colorScheme}-${width}.png`) });
  const overflow = await page.evaluate('document.documentElement.scrollWidth - window.innerWidth');
  if (overflow > 0) console.error(`${name}, ${width} px: scrolls sideways by ${overflow} px`);
  await page.close();
}

/** Until nothing is on its way any more, as far as the page shows. */
async function settle(page) {
  await page.waitForTimeout(600);
  for (let attempt = 0; attempt < 20; attempt++) {
    const busy = '[aria-busy=true], .skeleton, .table-busy';
    if (await page.evaluate(`!document.querySelector(${JSON.stringify(busy)})`)) break;
    await page.waitForTimeout(200);
  }
  await page.waitForTimeout(250);
}

async function graphql(query, variables) {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors } = await response.json();
  if (errors) throw new Error(JSON.stringify(errors));
  return data;
}

async function annotate(page) {
  await page.keyboard.press('e');
  await page
    .locator('.config-annotated')
    .getByRole('button', { name: /incomplete/ })
    .waitFor();
  await page.keyboard.press('2');
}

async function chooseTool(page) {
  await page.locator('.graph-node.kind-llm').first().click();
}

async function openDrawer(page) {
  await page.evaluate(`localStorage.setItem('spandrel.preferences', '{"tracePlace":"drawer"}')`);
  await page.reload();
  await page.locator('.table-row').nth(2).click();
  await page.locator('.span-head').waitFor();
}

async function compareTwo(page) {
  const boxes = page.getByLabel('Select row');
  await boxes.nth(0).click();
  await boxes.nth(1).click();
  await page.getByRole('link', { name: 'Compare' }).click();
  await page.locator('.span-diff').waitFor();
}

async function selectRows(page) {
  const boxes = page.getByLabel('Select row');
  await boxes.nth(2).click();
  await boxes.nth(5).click({ modifiers: ['Shift'] });
}

async function waitUntilReady(address) {
  for (let attempt = 0; attempt < 300; attempt++) {
    const response = await fetch(`${address}/readyz`).catch(() => undefined);
    if (response?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error('The server did not become ready');
}

function freePort() {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port: free } = probe.address();
      probe.close(() => resolve(free));
    });
  });
}
