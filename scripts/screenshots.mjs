#!/usr/bin/env node
// Takes pictures of the states in screenshots/states.txt, in both themes and three widths. Starts built servers on new data directories,
// and writes PNGs outside of the repository. The tests must be built, because it uses their helpers.
//
//   node scripts/screenshots.mjs [folder] [pattern of states' names] [which, as in light-1440,dark-420]
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { startServer } from '../dist/test/e2e/server-process.js';
import { startVendorEndpoint } from '../dist/test/vendor-endpoint/vendor-endpoint.js';
import { SEEDS } from './screenshots/seeds.mjs';

const HEIGHTS = { 1440: 900, 1024: 768, 420: 860 };
const [folder = join(tmpdir(), 'spandrel-screenshots'), pattern = '', which] = process.argv.slice(2);
const variants =
  which?.split(',') ?? ['light', 'dark'].flatMap((theme) => [1440, 1024, 420].map((width) => `${theme}-${width}`));
const browserPath = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']
  .map((name) => `/usr/bin/${name}`)
  .find(existsSync);
if (!browserPath) {
  console.error('No Chromium here: bash scripts/install-test-packages.sh');
  process.exit(2);
}
mkdirSync(folder, { recursive: true });

/** What each word of a step does. A target is a chain of selectors of Playwright, besides `label=`. */
const STEPS = {
  press: (page, name) => page.getByRole('button', nameOf(name)).first().click(),
  item: (page, name) => page.getByRole('menuitem', { name, exact: true }).click(),
  click: (page, target) => find(page, target).click(),
  hover: (page, target) => find(page, target).hover(),
  focus: (page, target) => find(page, target).focus(),
  check: (page, target) => find(page, target).check(),
  see: (page, target) => find(page, target).waitFor(),
  fill: (page, target, value) => find(page, target).fill(value),
  select: (page, target, value) => find(page, target).selectOption(value),
  key: (page, key) => page.keyboard.press(key),
  wait: (page, ms) => page.waitForTimeout(Number(ms)),
  as: () => undefined,
  /** Types the message of a variant of the playground. */
  message: (page, variant, text) =>
    page.locator('textarea[aria-label="User message 2"]').nth('AB'.indexOf(variant)).fill(text),
  async rows(page) {
    await page.getByLabel('Select row').nth(2).click();
    await page
      .getByLabel('Select row')
      .nth(5)
      .click({ modifiers: ['Shift'] });
  },
  bulk: (page, name) => page.getByRole('region', { name: 'Selected rows' }).getByRole('button', { name }).click(),
  async prefer(page, preferences) {
    await page.evaluate((text) => localStorage.setItem('spandrel.preferences', text), preferences);
    await page.reload();
  },
  file: (page, name, _, { files }) => page.locator('input[type=file]').first().setInputFiles(files[name]),
  run: (page, name, _, { actions }) => actions[name](page),
};

const servers = [];
const start = async (env = {}) => {
  const server = await startServer({ env });
  servers.push(server);
  return server.url;
};
const vendor = await startVendorEndpoint({ latencyMs: 250 });
const browser = await chromium.launch({ executablePath: browserPath, args: ['--no-sandbox'] });
const seeded = new Map();
const context = {
  ...{ start, browser, vendorUrl: vendor.url },
  /** What the seed of a group returned, which runs once. */
  seed(group) {
    if (!seeded.has(group)) seeded.set(group, SEEDS[group](context));
    return seeded.get(group);
  },
};
try {
  for (const { group, states } of readGroups()) {
    for (const state of states) {
      const place = await context.seed(group);
      for (const variant of variants) await shoot(state, place, variant);
    }
  }
  console.log(folder);
} finally {
  await browser.close();
  await vendor.close();
  for (const server of servers) await server.stop();
}

/** Groups with the states whose names match. */
function readGroups() {
  const groups = [];
  const shared = new Map();
  for (const line of readFileSync(new URL('screenshots/states.txt', import.meta.url), 'utf8').split('\n')) {
    if (line === '' || line.startsWith('#')) continue;
    const [name, ...rest] = line.split(' | ');
    if (name.startsWith('[')) groups.push({ group: name.slice(1, -1), states: [] });
    else if (name.startsWith('@')) shared.set(name, toSteps(rest[0]));
    else if (new RegExp(pattern).test(name)) {
      groups.at(-1).states.push({ name, address: rest[0], steps: toSteps(rest[1]) });
    }
  }
  return groups;

  function toSteps(text = '') {
    const steps = text.split(' ; ').filter((step) => step !== '');
    return steps.flatMap((step) => (step.startsWith('@') ? shared.get(step) : [step]));
  }
}

async function shoot({ name, address, steps }, place, variant) {
  const [colorScheme, width] = variant.split('-');
  const viewport = { width: Number(width), height: HEIGHTS[width] ?? 900 };
  const page = await browser.newPage({ viewport, colorScheme });
  // What is out of sight in a narrow window has no picture.
  page.setDefaultTimeout(15_000);
  const [, user] = steps[0]?.match(/^as (\w+)$/) ?? [];
  if (user) await page.context().addCookies(place.cookies[user]);
  const path = address.replace(/\{(\w+)\}/g, (_, key) => place[key]);
  await page.goto(new URL(path, place.url).href, { waitUntil: 'load' });
  await settle(page);
  try {
    for (const step of steps) {
      const [, word, target, value] = /^(\w+) ?(.*?)(?: = (.*))?$/s.exec(step);
      await STEPS[word](page, target, value, place);
    }
    await page.waitForTimeout(steps.length > 0 ? 500 : 0);
  } catch (error) {
    console.error(`${name}, ${width} px: ${error.message.split('\n')[0]}`);
  }
  await page.screenshot({ path: join(folder, `${name}-${variant}.png`) });
  const overflow = await page.evaluate('document.documentElement.scrollWidth - window.innerWidth');
  if (overflow > 0) console.error(`${name}, ${width} px: scrolls sideways by ${overflow} px`);
  await page.close();
}

/** `/pattern/`, `"exact name"`, or a part of the name. */
function nameOf(text) {
  if (text.startsWith('/')) return { name: new RegExp(text.slice(1, -1)) };
  return text.startsWith('"') ? { name: text.slice(1, -1), exact: true } : { name: text };
}

/** The first element of a chain of selectors. */
function find(page, target) {
  const parts = target.split(' >> ');
  const toLocator = (parent, part) => {
    if (!part.startsWith('label=')) return parent.locator(part);
    const { name, ...options } = nameOf(part.slice('label='.length));
    return parent.getByLabel(name, options);
  };
  return parts.reduce(toLocator, page).first();
}

/** Until nothing is on its way any more, as far as the page shows. */
async function settle(page) {
  await page.waitForTimeout(600);
  for (let attempt = 0; attempt < 20; attempt++) {
    if ((await page.locator('[aria-busy=true], .skeleton, .table-busy').count()) === 0) break;
    await page.waitForTimeout(200);
  }
  await page.waitForTimeout(250);
}
