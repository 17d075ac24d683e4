import { testPythonClients } from './python-clients.ts';

// Metadata is all that the other database holds, so only tests of what is there run on it again.
testPythonClients('external', ['Datasets', 'Experiments', 'Prompts'], 'datasets, experiments and prompts');
