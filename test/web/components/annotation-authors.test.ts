import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { query } from '../../metadata-store/fixtures.ts';
import { type AuthorServer, ask, openAuthorServer, TRACE_ID } from '../../api/access/author-server.ts';
import { NO_BROWSER, openBrowser, openPage, untilPasses } from '../browser.ts';

/** A config of the default project with the labels good and bad. */
async function addConfig({ admin }: AuthorServer): Promise<string> {
  const { project } = await ask(admin, '{project: getProjectByName(name: "default") {id}}');
  const values = [
    { label: 'good', score: 1 },
    { label: 'bad', score: 0 },
  ];
  const { made } = await ask(
    admin,
    `mutation ($input: CreateAnnotationConfigInput!) {
      made: createAnnotationConfig(input: $input) {annotationConfig {... on Node {id}}}}`,
    { input: { annotationConfig: { categorical: { name: 'quality', optimizationDirection: 'MAXIMIZE', values } } } },
  );
  const annotationConfigId = made.annotationConfig.id;
  await ask(
    admin,
    'mutation ($input: [AddAnnotationConfigToProjectInput!]!) {addAnnotationConfigToProject(input: $input) {__typename}}',
    { input: [{ projectId: project.id, annotationConfigId }] },
  );
  return project.id;
}

describe('annotations of several users in the interface', { skip: NO_BROWSER }, () => {
  test('have names, and each user edits his own', async (t) => {
    const server = await openAuthorServer(t);
    const project = await addConfig(server);
    const value = { annotatorKind: 'HUMAN', source: 'APP', metadata: {}, name: 'quality', spanId: server.targets.span };
    await ask(
      server.ann,
      'mutation ($input: [CreateSpanAnnotationInput!]!) {createSpanAnnotations(input: $input) {__typename}}',
      { input: [{ ...value, label: 'bad' }] },
    );
    // The interface would ask for a new password first.
    await query(server.databaseUrl, 'update users set password_needs_reset = false');
    const { access } = await server.signIn('ben@example.com', 'word-1');
    const { page, pageErrors } = await openPage(await openBrowser(t), server.address);
    await page.context().addCookies([{ name: 'phoenix-access-token', value: access, url: server.address }]);
    await page.goto(`${server.address}/projects/${encodeURIComponent(project)}/traces/${TRACE_ID}`);
    await page.locator('.span-head .annotation-chip').waitFor();

    await page.keyboard.press('e');
    const row = page.getByRole('group', { name: 'quality' });
    const list = page.getByRole('list', { name: 'Annotations' });
    await list.getByText('ann, in the app').waitFor();
    assert.equal(await row.getByRole('button', { pressed: true }).count(), 0, 'that of another user is not edited');
    assert.equal(await list.getByRole('button').count(), 0, 'that of another user is not deleted');
    await page.keyboard.press('1');
    await list.getByText('You, in the app').waitFor();
    await untilPasses(async () => {
      assert.equal(await list.getByRole('listitem').count(), 2);
      assert.equal(await list.getByRole('button', { name: 'Delete quality' }).count(), 1);
    });
    await row.getByRole('button', { name: /good/, pressed: true }).waitFor();
    const { node } = await ask(
      server.ben,
      `{node(id: "${server.targets.span}") {... on Span {spanAnnotations {identifier user {id}}}}}`,
    );
    for (const { identifier, user } of node.spanAnnotations) assert.equal(identifier, `px-app:${user.id}`);
    await page.getByRole('textbox', { name: 'New note' }).fill('seen');
    await page.getByRole('button', { name: 'Add note' }).click();
    await page.getByText('ben · ').waitFor();

    const admin = await openPage(await openBrowser(t), server.address);
    const session = await server.signIn('ann@example.com', 'word-1');
    await admin.page
      .context()
      .addCookies([{ name: 'phoenix-access-token', value: session.access, url: server.address }]);
    await admin.page.goto(page.url());
    await admin.page.locator('.span-head .annotation-chip').first().waitFor();
    await admin.page.keyboard.press('e');
    const ofAll = admin.page.getByRole('list', { name: 'Annotations' });
    await untilPasses(async () => {
      assert.equal(await ofAll.getByRole('button', { name: /^Edit/ }).count(), 1, 'only the own one is edited');
    });
    await ofAll.getByRole('button', { name: 'Delete quality of ben' }).click();
    await admin.page.getByText('This deletes the annotation of ben for all users.').waitFor();
    await admin.page.getByRole('button', { name: 'Delete annotation' }).click();
    await ofAll.getByText('ben, in the app').waitFor({ state: 'detached' });
    await admin.page.getByRole('button', { name: 'Delete note' }).click();
    await admin.page.getByRole('button', { name: 'Delete annotation' }).click();
    await admin.page.getByText('ben · ').waitFor({ state: 'detached' });
    assert.deepEqual(admin.pageErrors, []);

    assert.deepEqual(pageErrors, []);
  });
});
