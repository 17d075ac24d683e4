import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ConfigError, readConfig } from '../../src/config/config.ts';
import { MODEL_VARIABLE_NAMES } from '../../src/config/models/model-variables.ts';
import { PROVIDER_NAMES } from '../../src/config/models/provider-kinds.ts';
import { VENDOR_VARIABLES } from '../../src/model/models/model-vendors.ts';
import { MODEL_PROVIDERS } from '../../src/model/prompts/prompt-parameters.ts';

const modelsOf = (env: Readonly<Record<string, string>>) => readConfig({ env }).config.models;

describe('the settings of models', () => {
  test('know the variables and providers of the table of vendors', () => {
    assert.deepEqual([...MODEL_VARIABLE_NAMES].sort(), [...new Set(VENDOR_VARIABLES)].sort());
    assert.deepEqual([...PROVIDER_NAMES].sort(), [...MODEL_PROVIDERS].sort());
  });

  test('contain only the variables that are set, without blanks', () => {
    const { variables } = modelsOf({ OPENAI_API_KEY: ' sk-1\n', XAI_API_KEY: ' ', UNRELATED_API_KEY: 'x' });

    assert.deepEqual(variables, { OPENAI_API_KEY: 'sk-1' });
  });

  test('allow all providers, those of a list in any case, or none', () => {
    assert.equal(modelsOf({}).allowedProviders, undefined);
    assert.deepEqual(modelsOf({ SERVICE_ALLOWED_PROVIDERS: 'openai, Google' }).allowedProviders, ['OPENAI', 'GOOGLE']);
    assert.deepEqual(modelsOf({ SERVICE_ALLOWED_PROVIDERS: 'none' }).allowedProviders, []);
  });

  test('read hosts per key', () => {
    const { keyHosts } = modelsOf({
      SERVICE_MODEL_KEY_HOSTS: 'OPENAI_API_KEY=gw.example.com *.Corp; XAI_API_KEY=[::1];',
    });

    assert.deepEqual(keyHosts, [
      { name: 'OPENAI_API_KEY', hosts: ['gw.example.com', '*.corp'] },
      { name: 'XAI_API_KEY', hosts: ['[::1]'] },
    ]);
  });

  for (const [name, text] of [
    ['ALLOWED_PROVIDERS', 'OPENAI, ACME'],
    ['ALLOWED_PROVIDERS', ','],
    ['MODEL_KEY_HOSTS', 'gw.example.com'],
    ['MODEL_KEY_HOSTS', 'OPENAI_API_KEY='],
    ['MODEL_KEY_HOSTS', 'OPENAI_API_KEY=https://gw.example.com'],
    ['MODEL_KEY_HOSTS', 'OPENAI_API_KEY=gw.example.com:8080'],
  ] as const) {
    test(`reject ${name}=${text}`, () => {
      assert.throws(() => modelsOf({ [`SERVICE_${name}`]: text }), ConfigError);
    });
  }
});
