import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { SpanColumnsBuilder } from '../../src/columns/span-columns-builder.ts';
import { checkOtlpRequest } from '../../src/otlp/check-request.ts';
import { type DecodeOptions, decodeOtlpRequest } from '../../src/otlp/decode-request.ts';
import { attribute } from '../fixtures/otlp-requests.ts';
import { requestOf, spanWith } from './decode-one.ts';

const bodyOf = (resource: Readonly<Record<string, string>>) =>
  requestOf([spanWith()], ...Object.entries(resource).map(([key, value]) => attribute(1, key, value)));

function projectOf(resource: Readonly<Record<string, string>>, options: DecodeOptions): string {
  const builder = new SpanColumnsBuilder();
  decodeOtlpRequest(bodyOf(resource), 'protobuf', options, builder);
  const { projectNames, projectIndex } = builder.finish();
  return projectNames[projectIndex[0]!]!;
}

describe('the project of spans', () => {
  const both = { 'service.name': 'shop', 'openinference.project.name': 'mine' };
  for (const { resource, options, project } of [
    { resource: {}, options: {}, project: 'default' },
    { resource: both, options: {}, project: 'mine' },
    { resource: { 'service.name': 'shop' }, options: {}, project: 'default' },
    { resource: { 'service.name': 'shop' }, options: { usesServiceName: true }, project: 'shop' },
    { resource: both, options: { usesServiceName: true }, project: 'mine' },
    { resource: both, options: { usesServiceName: true, projectName: 'header' }, project: 'header' },
    { resource: { 'service.name': '' }, options: { usesServiceName: true }, project: 'default' },
  ]) {
    test(`is ${project} for ${JSON.stringify({ ...resource, ...options })}`, () => {
      assert.equal(projectOf(resource as Record<string, string>, options), project);
    });
  }

  test('is counted by the same rule when the request is checked', () => {
    const check = (usesServiceName: boolean) =>
      checkOtlpRequest(bodyOf({ 'service.name': 'shop' }), 'protobuf', { countsProjects: true, usesServiceName })
        .projects;

    assert.deepEqual([...check(true)!], [['shop', 1]]);
    assert.deepEqual([...check(false)!], [['default', 1]]);
  });
});
