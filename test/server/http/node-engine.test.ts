import { testHttpServer } from './http-server.contract.ts';
import { testStreamedBodies } from './streamed-bodies.contract.ts';

testHttpServer('node');
testStreamedBodies('node');
