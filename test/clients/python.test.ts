import { testPythonClients } from './python-clients.ts';

testPythonClients('embedded', [], 'what they and register() have sent, over HTTP and gRPC');
