import type { Ingest, OtlpRequest } from '../../ingest/ingest.ts';
import type { GrpcCall, GrpcMethod } from '../../server/grpc/grpc-method.ts';
import { encodeExportResponse } from './export-response.ts';
import type { MayStoreIn } from './trace-routes.ts';

/** OTLP over gRPC. The contract has no `x-project-name` here, so the resource attribute names the project. */
export const traceServiceMethods = (
  ingest: Pick<Ingest, 'findRejection' | 'submitOtlp' | 'recordRejection'>,
  mayStoreIn: MayStoreIn,
): GrpcMethod[] => [
  {
    path: '/opentelemetry.proto.collector.trace.v1.TraceService/Export',
    access: 'send',
    blockedWhenStorageFull: true,
    admit: () => ingest.findRejection(0),
    async handle({ message, encoding, ...call }) {
      const from = senderOf(call);
      const request = {
        format: 'protobuf',
        encoding,
        body: message,
        from,
        mayStoreIn: mayStoreIn(call.caller),
      } as const;
      return encodeExportResponse(await ingest.submitOtlp(request));
    },
    onRejected: (call, { details }) => ingest.recordRejection({ from: senderOf(call), reason: details }),
  },
];

const senderOf = ({ remoteAddress, header }: Pick<GrpcCall, 'remoteAddress' | 'header'>): OtlpRequest['from'] => ({
  source: 'grpc',
  remoteAddress,
  userAgent: header('user-agent'),
});
