import { createServer as createHttpServer } from 'node:http';
import { type handleUnaryCall, Server, ServerCredentials } from '@grpc/grpc-js';

/** Receives OTLP requests and acknowledges them unread, which shows the limit of generator and transport. */
export interface Sink {
  readonly url: string;
  readonly grpcAddress: string;
  close(): void;
}

export async function openSink(): Promise<Sink> {
  const http = createHttpServer((request, response) => {
    request.resume();
    request.on('end', () => {
      response.writeHead(200, { 'content-type': 'application/x-protobuf' });
      response.end();
    });
  });
  const grpc = new Server({ 'grpc.max_receive_message_length': -1 });
  const same = (bytes: Buffer) => bytes;
  const acknowledge: handleUnaryCall<Buffer, Buffer> = (_call, callback) => callback(null, Buffer.alloc(0));
  const path = '/opentelemetry.proto.collector.trace.v1.TraceService/Export';
  const coding = {
    requestSerialize: same,
    requestDeserialize: same,
    responseSerialize: same,
    responseDeserialize: same,
  };
  grpc.addService(
    { export: { path, requestStream: false, responseStream: false, ...coding } },
    { export: acknowledge },
  );
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const address = http.address();
  const grpcPort = await new Promise<number>((resolve, reject) =>
    grpc.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) =>
      error ? reject(error) : resolve(port),
    ),
  );
  return {
    url: `http://127.0.0.1:${address && typeof address === 'object' ? address.port : 0}`,
    grpcAddress: `127.0.0.1:${grpcPort}`,
    close() {
      http.closeAllConnections();
      http.close();
      grpc.forceShutdown();
    },
  };
}
