import { testHttpServer } from './http-server.contract.ts';
import { testStreamedBodies } from './streamed-bodies.contract.ts';
import { testUnacknowledgedResponses } from './unacknowledged-responses.contract.ts';

testHttpServer('node');
testStreamedBodies('node');
testUnacknowledgedResponses('node');
