import { createOpenAI } from '@ai-sdk/openai';
import { OpenTelemetry } from '@ai-sdk/otel';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { generateText, registerTelemetry, stepCountIs, streamText, tool } from 'ai';
import { z } from 'zod';

const provider = new NodeTracerProvider({ spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())] });
provider.register();
registerTelemetry(new OpenTelemetry());

const model = createOpenAI({ baseURL: process.env.OPENAI_BASE_URL }).chat('gpt-4o');
const telemetry = {
  functionId: 'weather',
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
  telemetry,
});
await streamText({ model, prompt: 'Greet Paris.', telemetry }).consumeStream();
await generateText({ model, prompt: 'Fail.', maxRetries: 0, telemetry }).catch(() => {});
await provider.shutdown();
