interface BannerFacts {
  readonly version: string;
  /** Has no slash at the end. */
  readonly httpUrl: string;
  /** `host:port` */
  readonly grpcAddress: string | undefined;
  /** Addresses that the server listens on, for example `0.0.0.0:6006 (HTTP) and 0.0.0.0:4317 (gRPC)`. */
  readonly listensOn: string;
  /** Describes who can use the server. */
  readonly signIn: string;
  readonly dataDir: string;
  readonly metadataStore: string;
}

/** Text that the terminal shows after the start. */
export function banner({
  version,
  httpUrl,
  grpcAddress,
  listensOn,
  signIn,
  dataDir,
  metadataStore,
}: BannerFacts): string {
  return `
Spandrel ${version} is ready.

  HTTP      ${httpUrl}
  gRPC      ${grpcAddress ?? 'off (read-only)'}
  Docs      ${httpUrl}/docs
  Data      ${dataDir}
  Metadata  ${metadataStore}
  Listens   ${listensOn}
  Sign-in   ${signIn}

Send your first trace:
  TypeScript  register({ projectName: 'my-app', url: '${httpUrl}' })             from @arizeai/phoenix-otel
  Python      register(project_name='my-app', endpoint='${httpUrl}/v1/traces')   from phoenix.otel
  Any other   OTEL_EXPORTER_OTLP_ENDPOINT=${httpUrl} OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf
`;
}
