import type { Ingest } from '../../ingest/ingest.ts';
import type { GrpcMethod } from '../../server/grpc-server.ts';
import { encodeExportResponse } from './export-response.ts';

/** OTLP over gRPC. The reference has no `x-project-name` here, so the resource attribute names the project. */
export const traceServiceMethods = (ingest: Pick<Ingest, 'refusal' | 'submitOtlp'>): GrpcMethod[] => [
  {
    path: '/opentelemetry.proto.collector.trace.v1.TraceService/Export',
    access: 'member',
    admit: () => ingest.refusal(0),
    async handle({ message, encoding, remoteAddress, header }) {
      const from = { face: 'grpc', remoteAddress, userAgent: header('user-agent') } as const;
      return encodeExportResponse(await ingest.submitOtlp({ format: 'protobuf', encoding, body: message, from }));
    },
  },
];
