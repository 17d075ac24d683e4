import { createOpenAI } from '@ai-sdk/openai';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { generateText, stepCountIs, streamText, tool } from 'ai';
import { z } from 'zod';

const provider = new NodeTracerProvider({ spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())] });
provider.register();

const model = createOpenAI({ baseURL: process.env.OPENAI_BASE_URL }).chat('gpt-4o');
const experimental_telemetry = {
  isEnabled: true,
  functionId: 'weather',
  metadata: { sessionId: 'session-1', userId: 'user-1', tier: 'gold' },
};
const get_weather = tool({
  description: 'Weather of a city.',
  inputSchema: z.object({ city: z.string() }),
  execute: async ({ city }) => `Sunny, 21 degrees in ${city}`,
});

await generateText({
  model,
  system: 'Be brief.',
  prompt: 'What is the weather in Paris?',
  tools: { get_weather },
  stopWhen: stepCountIs(3),
  experimental_telemetry,
});
await streamText({ model, prompt: 'Greet Paris.', experimental_telemetry }).consumeStream();
await generateText({ model, prompt: 'Fail.', maxRetries: 0, experimental_telemetry }).catch(() => {});
await provider.shutdown();
