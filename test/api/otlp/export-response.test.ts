import assert from 'node:assert/strict';
import { test } from 'node:test';
import protobuf from 'protobufjs';
import { encodeExportResponse, exportResponseJson } from '../../../src/api/otlp/export-response.ts';

const ExportTraceServiceResponse = protobuf
  .parse(
    `syntax = "proto3";
     message ExportTraceServiceResponse { ExportTracePartialSuccess partial_success = 1; }
     message ExportTracePartialSuccess { int64 rejected_spans = 1; string error_message = 2; }`,
  )
  .root.lookupType('ExportTraceServiceResponse');

test('the response to an export that was accepted whole is empty', () => {
  assert.equal(encodeExportResponse({ rejectedSpanCount: 0, message: '' }).length, 0);
  assert.equal(exportResponseJson({ rejectedSpanCount: 0, message: '' }), '{}');
});

test('the response to an export with rejected spans counts them with the reason', () => {
  const partial = { rejectedSpanCount: 300, message: '300 of 301 spans rejected: …' };

  const message = ExportTraceServiceResponse.decode(encodeExportResponse(partial));
  const json = JSON.parse(exportResponseJson(partial));

  const expected = { partialSuccess: { rejectedSpans: '300', errorMessage: partial.message } };
  assert.deepEqual(ExportTraceServiceResponse.toObject(message, { longs: String }), expected);
  assert.deepEqual(json, expected);
});
