import { createOpenAI } from '@ai-sdk/openai';
import { Agent } from '@mastra/core/agent';
import { Mastra } from '@mastra/core/mastra';
import { createTool } from '@mastra/core/tools';
import { Observability } from '@mastra/observability';
import { OtelExporter } from '@mastra/otel-exporter';
import { z } from 'zod';

const model = createOpenAI({ baseURL: process.env.OPENAI_BASE_URL }).chat('gpt-4o');
const getWeather = createTool({
  id: 'get_weather',
  description: 'Weather of a city.',
  inputSchema: z.object({ city: z.string() }),
  execute: async ({ city }) => `Sunny, 21 degrees in ${city}`,
});
const exporter = new OtelExporter({
  provider: {
    custom: { endpoint: `${process.env.OTEL_EXPORTER_OTLP_ENDPOINT}/v1/traces`, protocol: 'http/protobuf' },
  },
});
const mastra = new Mastra({
  logger: false,
  agents: {
    forecaster: new Agent({
      id: 'forecaster',
      name: 'forecaster',
      instructions: 'Be brief.',
      model,
      tools: { get_weather: getWeather },
    }),
    greeter: new Agent({ id: 'greeter', name: 'greeter', instructions: 'Be kind.', model, maxRetries: 0 }),
  },
  observability: new Observability({ configs: { otel: { serviceName: 'mastra', exporters: [exporter] } } }),
});
const tracingOptions = { metadata: { sessionId: 'session-1', userId: 'user-1', tier: 'gold' } };

await mastra.getAgent('forecaster').generate('What is the weather in Paris?', { tracingOptions });
const stream = await mastra.getAgent('greeter').stream('Greet Paris.', { tracingOptions });
await stream.consumeStream();
await mastra
  .getAgent('greeter')
  .generate('Fail.', { tracingOptions, modelSettings: { maxRetries: 0 } })
  .catch(() => {});
await exporter.flush?.();
await exporter.shutdown();
