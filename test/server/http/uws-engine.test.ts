import { test } from 'node:test';
import { loadUWebSockets } from '../../../native-bindings/uwebsockets.ts';
import { PARSER_HEADER_BYTES_MAX } from '../../../src/model/limits/requests.ts';
import { testHttpServer } from './http-server.contract.ts';
import { testStreamedBodies } from './streamed-bodies.contract.ts';
import { testUnacknowledgedResponses } from './unacknowledged-responses.contract.ts';

const load = loadUWebSockets(PARSER_HEADER_BYTES_MAX);
if (load.state === 'loaded') {
  testHttpServer('uws');
  testStreamedBodies('uws');
  testUnacknowledgedResponses('uws');
} else test('HTTP on uws', { skip: `Could not load uWebSockets.js: ${load.reason}` }, () => {});
