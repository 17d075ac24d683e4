import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { temporaryDirectory } from '../../metadata-store/fixtures.ts';
import { ended, PROGRAM } from '../../clients/cli-program.ts';
import { NO_BROWSER, openBrowser } from '../browser.ts';
import { startSignInServer } from './sign-in-server.ts';

/** `spandrel auth login` in a home of its own, with the address that it prints and how it ends. */
async function startLogin(t: Pick<TestContext, 'after'>, url: string) {
  const home = await temporaryDirectory((work) => t.after(work));
  const child = spawn(process.execPath, [PROGRAM, 'auth', 'login', '--no-browser', '--endpoint', url], {
    ...{ cwd: home, env: { PATH: process.env.PATH, HOME: home }, stdio: ['ignore', 'pipe', 'pipe'] },
  });
  t.after(() => {
    child.kill();
  });
  const result = ended(child);
  const address = await new Promise<string>((resolve, reject) => {
    let text = '';
    child.stderr.on('data', (chunk) => {
      text += chunk;
      const found = /^(http\S+authorize\S+)\n/m.exec(text)?.[1];
      if (found) resolve(found);
    });
    child.once('exit', () => reject(new Error(`The program ended early: ${text}`)));
  });
  return { address, result, settings: join(home, '.config/spandrel/settings.json') };
}

describe('the sign-in of the command line in the browser', { skip: NO_BROWSER }, () => {
  test('is denied by the user: the page and the program report it with the next step, and nothing is stored', async (t) => {
    const people = await startSignInServer(t);
    const max = await people.createPerson('MEMBER', 'max');
    const { page } = await people.openPageAs(await openBrowser(t), max);
    const { address, result, settings } = await startLogin(t, people.url);

    await page.goto(address);
    await page.getByRole('heading', { name: 'Allow access?' }).waitFor();
    await page.getByRole('button', { name: 'Deny', exact: true }).click();

    await page.getByText('Access was denied, so the command line is not signed in.').waitFor();
    await page.getByText('To sign in, run spandrel auth login again.').waitFor();
    const { code, out, err } = await result;
    assert.equal(code, 4, err);
    assert.equal(out, '');
    assert.match(
      err,
      /The sign-in was denied in the browser: .* Run spandrel auth login again and choose "Allow access"/,
    );
    assert.doesNotMatch(err, /\n\s+at /);
    assert.ok(!existsSync(settings), 'no profile is stored');
  });
});
