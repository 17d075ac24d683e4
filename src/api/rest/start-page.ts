import { escapeHtml, type HtmlPage } from '../../server/html-page.ts';
import { BASE, PAGE_SCRIPT, PAGE_STYLE } from '../../server/page-style.ts';

/** What stands at `/`: what this is, where it listens, how the first trace gets here. */
export const startPage = (version: string): HtmlPage => ({
  title: 'Spandrel',
  style: `${PAGE_STYLE}main{max-width:640px;margin:12vh auto 8vh;padding:0 24px;display:grid;gap:20px}h1{font-size:30px;letter-spacing:-.02em}h2{font-size:15px;margin-top:12px}dl{display:grid;grid-template-columns:auto 1fr;gap:6px 20px;margin:0}dt{color:var(--quiet)}dd{margin:0}`,
  script: PAGE_SCRIPT,
  body: `<main>
<header><h1>Spandrel</h1><p class="quiet">Version ${escapeHtml(version)} is running.</p></header>
<dl><dt>OTLP over HTTP</dt><dd><code>${BASE}/v1/traces</code></dd>
<dt>OTLP over gRPC</dt><dd>port <code>4317</code>, unless set otherwise</dd>
<dt>REST</dt><dd><a href="docs">Documentation</a>, <a href="openapi.json">openapi.json</a></dd>
<dt>GraphQL</dt><dd><a href="graphql">Console</a></dd></dl>
<h2>Send the first trace</h2>
<p>Point the OpenTelemetry exporter of any instrumented program here:</p>
<div class="code"><pre>export OTEL_EXPORTER_OTLP_ENDPOINT=${BASE}
export OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf
export OTEL_RESOURCE_ATTRIBUTES=openinference.project.name=my-project</pre></div>
<p>Then read it back:</p>
<div class="code"><pre>curl ${BASE}/v1/projects/my-project/spans</pre></div>
</main>`,
});
