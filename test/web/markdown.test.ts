import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fitsMarkdown } from '../../src/web/components/values/fits-markdown.ts';
import { NO_BROWSER, openBrowser, openPage, untilPasses } from './browser.ts';
import { openPageServer } from './page-server.ts';
import { hexId, projectId, seed } from './seed.ts';

const ANSWER = `# Two days in Lisbon

Take **tram 28** and ~~the bus~~ walk, see [the guide](https://guide.example/lisbon) or <desk@guide.example>.

- [x] book a room
- [ ] buy a ticket
  1. for the tram
  2. for the castle[^1]

| place | hours | price |
|:------|:-----:|------:|
| castle | 9 to 18 | 15 |
| museum | 10 to 17<br>closed on Mondays | 8 |

\`\`\`python
def price(days: int) -> float:
    return 12.5 * days  # per person
\`\`\`

\`\`\`__proto__
plain
\`\`\`

> Mind the steps.

[^1]: Closed on 1 May.`;

const HOSTILE = `[run](javascript:alert(1)) [data](data:text/html,<script>alert(2)</script>) [here](/v1/projects) [file](file:///etc/passwd)

<script>alert(3)</script> <b onclick="alert(4)">bold</b>

![pixel](https://elsewhere.example/pixel.png) ![inline](data:image/svg+xml,<svg/onload=alert(5)>)

[ref]: javascript:alert(6)
[ref][ref] [root](#root) <javascript:alert(7)>

\`\`\`constructor
x
\`\`\`

[^root]

[^root]: note`;

describe('Markdown', { skip: NO_BROWSER }, () => {
  test('supports tables, tasks, notes and colored code, and adds no unsafe link, image, ID or element', async (t) => {
    const server = await openPageServer(t);
    const span = (number: number, output: string) => ({
      traceId: hexId(number, 16),
      spanId: hexId(number, 8),
      name: 'answer',
      start: Date.now() - 60_000,
      latencyMs: 5,
      attributes: { 'openinference.span.kind': 'LLM', 'output.value': output },
    });
    await seed(server.url, 'markdown', [span(1, ANSWER), span(2, HOSTILE), span(3, '>'.repeat(5_000))]);
    const id = encodeURIComponent(await projectId(server.url, 'markdown'));
    const { page, pageErrors } = await openPage(await openBrowser(t), server.url);
    await page.goto(`${server.url}/settings`);
    await page.evaluate(`localStorage.setItem('spandrel.preferences', '{"textView":"markdown"}')`);
    const open = async (number: number) => {
      await page.goto(`${server.url}/projects/${id}/traces/${hexId(number, 16)}`);
      await page.getByRole('tab', { name: 'Content' }).click();
    };
    const markdown = page.locator('.markdown').first();
    const texts = (selector: string) => markdown.locator(selector).allTextContents();

    await open(1);
    await markdown.locator('table').waitFor();
    await untilPasses(async () => {
      assert.deepEqual(await texts('th'), ['place', 'hours', 'price']);
      assert.equal(await markdown.locator('td.align-right').first().textContent(), '15');
      assert.equal(await markdown.locator('td br').count(), 1);
      assert.equal(await markdown.getByRole('checkbox', { name: 'Done' }).isChecked(), true);
      assert.equal(await markdown.getByRole('checkbox', { name: 'To do' }).isChecked(), false);
      assert.deepEqual(await texts('ol ol, ul ol > li > *'), ['1']);
      assert.deepEqual(await texts('.hljs-keyword'), ['def', 'return']);
      assert.deepEqual(await texts('del'), ['the bus']);
      assert.deepEqual(
        await markdown.locator('a').evaluateAll((links) => links.map((link) => [link.getAttribute('href'), link.rel])),
        [
          ['https://guide.example/lisbon', 'noreferrer noopener'],
          ['mailto:desk@guide.example', 'noreferrer noopener'],
        ],
      );
      assert.equal(await markdown.locator('[id], [style]').count(), 0);
    });

    await open(2);
    await markdown.getByText('pixel').waitFor();
    await untilPasses(async () => {
      assert.deepEqual(
        await markdown.locator('a').evaluateAll((links) => links.map((link) => link.getAttribute('href'))),
        ['https://elsewhere.example/pixel.png'],
      );
      assert.equal(await markdown.locator('img, script, b, svg:not(.icon), [onclick], [id], [style]').count(), 0);
    });
    await markdown.getByText('<script>alert(3)</script>').waitFor();

    // Five thousand nested quotes would overflow the stack of the page.
    await open(3);
    await page.getByText('>>>>').first().waitFor();
    assert.equal(await page.locator('.markdown').count(), 0);
    assert.deepEqual(pageErrors, []);
  });
});

describe('fitsMarkdown', () => {
  for (const [what, text] of [
    ['an answer', ANSWER],
    ['a long conversation', ANSWER.repeat(20)],
    ['a table of 200 rows', `|a|b|c|\n|-|-|-|\n${'|1|2|3|\n'.repeat(200)}`],
    ['code with many marks', `\`\`\`c\n${'  int *a = b[0];\n'.repeat(100)}\`\`\``],
  ] as const) {
    test(`accepts ${what}`, () => assert.equal(fitsMarkdown(text), true));
  }

  for (const [what, text] of [
    ['a huge text', 'word '.repeat(20_000)],
    ['nested quotes', '>'.repeat(100)],
    ['nested quotes with blanks', '> '.repeat(100)],
    ['nested lists on one line', '- '.repeat(100)],
    ['nested ordered lists', '1. '.repeat(100)],
    ['nested lists on many lines', Array.from({ length: 100 }, (_, depth) => `${'  '.repeat(depth)}- a`).join('\n')],
    ['a paragraph of open emphasis', '**a_'.repeat(600)],
    ['a paragraph of open links', '[a]('.repeat(1_100)],
    ['a table whose rows are filled up', `${'|a'.repeat(300)}|\n${'|-'.repeat(300)}|\n${'|x\n'.repeat(300)}`],
  ] as const) {
    test(`declines ${what}`, () => assert.equal(fitsMarkdown(text), false));
  }
});
