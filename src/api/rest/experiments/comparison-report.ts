import { escapeHtml } from '../../../base/escape-html.ts';
import { REPORT_TEXT_CHARS_MAX } from '../../../model/limits/comparisons.ts';
import type {
  ComparisonGroup,
  ComparisonMeasure,
  ComparisonReport,
  ComparisonSummary,
  DetailedRun,
} from '../../../domain/domain.ts';
import { toComparisonText } from '../../../domain/experiments/comparison/comparison-text.ts';
import { intervalCharts } from './comparison-report-chart.ts';
import { REPORT_STYLE } from './comparison-report-style.ts';

/** One HTML file about a comparison, without scripts and without requests to any server. */
export function toReportHtml({ dataset, summary, regressions }: ComparisonReport, now: Date): string {
  const title = `Comparison of ${summary.experiments.length} experiments${dataset ? ` on ${dataset.name}` : ''}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="content-security-policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<style>${REPORT_STYLE}</style>
</head>
<body>
<header>
<h1>${escapeHtml(title)}</h1>
<p class="muted">${count(summary.commonExampleCount)} of ${count(summary.exampleCount)} examples are compared. Created on ${now.toISOString().slice(0, 16).replace('T', ' ')} UTC.</p>
</header>
${experimentsOf(summary)}
${noticesOf(summary.notices)}
<section><h2>Summary</h2>
<p class="muted">Means and differences to the baseline over examples, with 95 % intervals. A difference is called better or worse when its interval does not contain 0.</p>
${summary.measures.map((measure) => measureOf(measure, summary)).join('\n')}</section>
${preferencesOf(summary)}
${groupsOf('By split', summary.splits, summary)}
${groupsOf('By metadata', summary.metadataGroups, summary)}
${regressions.map((one) => regressionsOf(one, summary)).join('\n')}
</body>
</html>
`;
}

const nameOf = ({ experiments }: ComparisonSummary, index: number): string =>
  escapeHtml(experiments[index]?.name ?? '');

const experimentsOf = ({ experiments }: ComparisonSummary): string =>
  `<section><h2>Experiments</h2><table><thead><tr><th>Experiment</th><th>Description</th><th class="number">Runs</th><th class="number">Failed</th><th class="number">Repetitions</th><th>Created</th></tr></thead><tbody>${experiments
    .map(
      ({ name, description, successfulRunCount, failedRunCount, repetitions, createdAt }, index) =>
        `<tr><th scope="row">${escapeHtml(name)}${index === 0 ? ' <span class="tag">baseline</span>' : ''}</th><td>${escapeHtml(cut(description ?? ''))}</td><td class="number">${count(successfulRunCount + failedRunCount)}</td><td class="number">${count(failedRunCount)}</td><td class="number">${repetitions}</td><td>${createdAt.toISOString().slice(0, 10)}</td></tr>`,
    )
    .join('')}</tbody></table></section>`;

const noticesOf = (notices: readonly string[]): string =>
  notices.length === 0
    ? ''
    : `<section class="notices"><h2>Notices</h2><ul>${notices.map((text) => `<li>${escapeHtml(text)}</li>`).join('')}</ul></section>`;

function measureOf(measure: ComparisonMeasure, summary: ComparisonSummary): string {
  const drawInterval = intervalCharts(measure);
  const rows = measure.values.map(({ mean, low, high, count: n, difference }, index) => {
    const verdict = difference?.verdict.toLowerCase() ?? 'muted';
    const sentence = difference ? escapeHtml(capitalize(difference.sentence)) : 'Baseline';
    const range =
      low === null || high === null ? '' : `<div class="muted">${show(measure, low)} to ${show(measure, high)}</div>`;
    return `<tr><th scope="row">${nameOf(summary, index)}</th><td>${mean === null ? '–' : show(measure, mean)}${range}</td><td>${count(n)}</td><td>${outcomesOf(difference)}</td><td>${drawInterval(difference)}</td><td class="${verdict}">${sentence}</td></tr>`;
  });
  return `<article><h3>${escapeHtml(capitalize(measure.name))}</h3><table class="measure"><thead><tr><th>Experiment</th><th>Mean</th><th>Examples</th><th>Outcomes</th><th>Interval</th><th>Difference to the baseline</th></tr></thead><tbody>${rows.join('')}</tbody></table></article>`;
}

function outcomesOf(difference: ComparisonMeasure['values'][number]['difference']): string {
  if (difference === null) return '';
  const { wins, losses, ties } = difference;
  return `${count(wins)} better, ${count(losses)} worse, ${count(ties)} equal`;
}

const preferencesOf = ({ preferences }: ComparisonSummary): string =>
  preferences.length === 0
    ? ''
    : `<section><h2>Preferences of people</h2><ul>${preferences.map(({ sentence }) => `<li>${escapeHtml(capitalize(sentence))}</li>`).join('')}</ul></section>`;

function groupsOf(title: string, groups: readonly ComparisonGroup[], summary: ComparisonSummary): string {
  if (groups.length === 0) return '';
  const rows = groups.flatMap(({ name, exampleCount, measures }) =>
    measures.flatMap((measure) =>
      measure.values.flatMap(({ difference }, index) =>
        difference === null || difference.verdict === 'UNCLEAR'
          ? []
          : [
              `<tr><th scope="row">${escapeHtml(name)}</th><td class="number">${count(exampleCount)}</td><td>${nameOf(summary, index)}</td><td class="${difference.verdict.toLowerCase()}">${escapeHtml(capitalize(difference.sentence))}</td></tr>`,
            ],
      ),
    ),
  );
  const body =
    rows.length === 0
      ? '<p class="muted">No difference is clear in any group.</p>'
      : `<table><thead><tr><th>Group</th><th class="number">Examples</th><th>Experiment</th><th>Clear difference</th></tr></thead><tbody>${rows.join('')}</tbody></table>`;
  return `<section><h2>${title}</h2>${body}</section>`;
}

function regressionsOf(
  { experiment, measure, rows }: ComparisonReport['regressions'][number],
  summary: ComparisonSummary,
) {
  const title = `<h2>Largest regressions of ${nameOf(summary, experiment)} on ${escapeHtml(measure.name)}</h2>`;
  if (rows.length === 0)
    return `<section>${title}<p class="muted">No example is worse than the baseline's.</p></section>`;
  const articles = rows.map(({ example, runs, difference, splits }) => {
    const id = example.externalId === null ? `Example ${example.exampleRowId}` : escapeHtml(example.externalId);
    const labels = splits.map((name) => ` <span class="tag">${escapeHtml(name)}</span>`).join('');
    const change = `${difference < 0 ? '−' : '+'}${show(measure, Math.abs(difference))}`;
    return `<article class="example"><h3>${id}${labels} <span class="worse">${change}</span></h3><dl><dt>Input</dt><dd>${textOf(example.input)}</dd><dt>Reference output</dt><dd>${textOf(example.output)}</dd><dt>${nameOf(summary, 0)}</dt><dd>${runsOf(runs[0])}</dd><dt>${nameOf(summary, experiment)}</dt><dd>${runsOf(runs[experiment])}</dd></dl></article>`;
  });
  return `<section>${title}${articles.join('')}</section>`;
}

function runsOf(runs: readonly DetailedRun[] = []): string {
  if (runs.length === 0) return '<span class="muted">No run</span>';
  return runs
    .map(({ output, error, scores }) => {
      const text = error === null ? textOf(output) : `<span class="worse">Error: ${escapeHtml(cut(error))}</span>`;
      const found = scores.map(({ name, score, label, explanation }) => {
        const value = [score === null ? undefined : digits(score), label].filter((one) => one != null).join(' ');
        const why = explanation === null ? '' : `: ${escapeHtml(cut(explanation))}`;
        return `<li><strong>${escapeHtml(name)}</strong> ${escapeHtml(value)}${why}</li>`;
      });
      return `${text}${found.length > 0 ? `<ul class="scores">${found.join('')}</ul>` : ''}`;
    })
    .join('<hr>');
}

function textOf(json: string): string {
  const { text, isCut } = toComparisonText(json, REPORT_TEXT_CHARS_MAX);
  return `<pre>${escapeHtml(text)}${isCut ? '…' : ''}</pre>`;
}

const cut = (text: string): string =>
  text.length > REPORT_TEXT_CHARS_MAX ? `${text.slice(0, REPORT_TEXT_CHARS_MAX)}…` : text;

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const count = (value: number): string => value.toLocaleString('en');

function show({ kind }: Pick<ComparisonMeasure, 'kind'>, value: number): string {
  if (kind === 'LATENCY') return value >= 1_000 ? `${(value / 1_000).toFixed(2)} s` : `${value.toFixed(0)} ms`;
  if (kind === 'COST') return `$${digits(value)}`;
  return kind === 'ERROR_RATE' ? `${(100 * value).toFixed(1)} %` : digits(value);
}

/** Three significant digits, or all digits before the point. */
const digits = (value: number): string =>
  Math.abs(value) >= 100 ? Math.round(value).toLocaleString('en') : String(Number(value.toPrecision(3)));
