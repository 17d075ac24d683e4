import { testHttpServer } from './http-server.contract.ts';

testHttpServer('node');
