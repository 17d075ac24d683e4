/** Style of a report: for screens by the theme of the system, and for paper. */
export const REPORT_STYLE = `
:root { color-scheme: light dark; --text: #1c2024; --muted: #60646c; --line: #e0e1e6; --surface: #f9f9fb; --page: #fff;
  --better: #1a7f37; --worse: #c62a2f; --unclear: #60646c; }
@media (prefers-color-scheme: dark) { :root { --text: #edeef0; --muted: #b0b4ba; --line: #363a3f; --surface: #212225;
  --page: #18191b; --better: #5bd38a; --worse: #ff9592; --unclear: #b0b4ba; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 32px 24px 64px; max-width: 1120px; background: var(--page); color: var(--text);
  font: 14px/1.5 system-ui, sans-serif; }
h1 { margin: 0; font-size: 24px; line-height: 1.3; overflow-wrap: anywhere; }
h2 { margin: 40px 0 12px; font-size: 17px; }
h3 { margin: 24px 0 8px; font-size: 14px; overflow-wrap: anywhere; }
p { margin: 4px 0 12px; }
table { width: 100%; border-collapse: collapse; }
th, td { padding: 6px 12px 6px 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top;
  overflow-wrap: anywhere; }
thead th { color: var(--muted); font-size: 12px; font-weight: 500; white-space: nowrap; }
tbody th { font-weight: 600; }
.number { font-variant-numeric: tabular-nums; white-space: nowrap; text-align: right; }
.muted { color: var(--muted); font-weight: 400; }
.better { color: var(--better); } .worse { color: var(--worse); } .unclear { color: var(--unclear); }
.tag { padding: 1px 6px; border: 1px solid var(--line); border-radius: 4px; color: var(--muted); font-size: 12px;
  font-weight: 400; }
.notices { margin-top: 24px; padding: 12px 16px; border: 1px solid var(--line); border-radius: 8px; background: var(--surface); }
.notices h2 { margin: 0 0 4px; font-size: 14px; }
ul { margin: 0; padding-left: 20px; }
.measure { table-layout: fixed; }
@media (min-width: 721px), print {
.measure :is(th, td):nth-child(1) { width: 18%; } .measure :is(th, td):nth-child(2) { width: 13%; }
.measure :is(th, td):nth-child(3) { width: 8%; } .measure :is(th, td):nth-child(4) { width: 12%; }
.measure :is(th, td):nth-child(5) { width: 19%; } }
svg { display: block; width: 100%; max-width: 200px; height: 20px; }
svg line { stroke: currentColor; stroke-width: 2; stroke-linecap: round; } svg circle { fill: currentColor; }
svg .zero { stroke: var(--muted); stroke-width: 1; stroke-dasharray: 2 3; }
.example { padding: 12px 16px; margin-bottom: 12px; border: 1px solid var(--line); border-radius: 8px; break-inside: avoid; }
.example h3 { margin-top: 0; }
dl { display: grid; grid-template-columns: 140px minmax(0, 1fr); gap: 8px 16px; margin: 0; }
dt { color: var(--muted); overflow-wrap: anywhere; } dd { margin: 0; }
pre { margin: 0; font: 13px/1.5 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere; }
.scores { margin-top: 4px; color: var(--muted); font-size: 13px; }
hr { margin: 8px 0; border: 0; border-top: 1px dashed var(--line); }
article, tr { break-inside: avoid; }
@media (max-width: 720px) { body { padding: 16px; } section { overflow-x: auto; } dl { grid-template-columns: 1fr; gap: 2px; }
  dd { margin-bottom: 8px; } .measure, .measure tbody { display: block; } .measure thead { display: none; }
  .measure tr { display: block; padding: 8px 0; border-bottom: 1px solid var(--line); }
  .measure tr :is(th, td) { display: block; width: auto; padding: 1px 0; border: 0; } .measure td:nth-child(3) { display: none; } }
@media print { :root { color-scheme: light; --text: #000; --muted: #444; --line: #ccc; --surface: #fff; --page: #fff;
  --better: #1a7f37; --worse: #b4231f; --unclear: #444; } body { max-width: none; padding: 0; font-size: 11px; } }
`;
