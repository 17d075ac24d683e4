import type { SuiteReport } from './suite-report.ts';

/** JUnit XML: a suite for each suite, with its conditions of acceptance as test cases. */
export function toJUnit(reports: readonly SuiteReport[]): string {
  const suites = reports.map((report) => {
    const cases = [
      ...report.tests.map(({ name, repetition, durationMs, error, annotations }) => ({
        name: report.tests.some((test) => test.name === name && test.repetition > 1) ? `${name} [${repetition}]` : name,
        seconds: durationMs / 1_000,
        failure: error,
        properties: annotations.map((annotation) => [annotation.name, showAnnotation(annotation)] as const),
        isSkipped: false,
      })),
      ...report.acceptance.map(({ explanation, isPassed, annotationName, kind }) => {
        const failure = isPassed ? null : explanation;
        return {
          name: `accepted: ${kind} of ${annotationName}`,
          seconds: 0,
          failure,
          properties: [['result', explanation] as const],
          isSkipped: false,
        };
      }),
      ...report.skippedTests.map((name) => ({ name, seconds: 0, failure: null, properties: [], isSkipped: true })),
    ];
    const failureCount = cases.filter(({ failure }) => failure !== null).length;
    const seconds = cases.reduce((sum, each) => sum + each.seconds, 0);
    const counts = `tests="${cases.length}" failures="${failureCount}" skipped="${report.skippedTests.length}" time="${seconds}"`;
    return [
      `  <testsuite name="${xml(report.name)}" ${counts}>`,
      ...cases.flatMap(({ name, seconds: time, failure, properties, isSkipped }) => [
        `    <testcase classname="${xml(report.name)}" name="${xml(name)}" time="${time}">`,
        ...(properties.length > 0 ? ['      <properties>'] : []),
        ...properties.map(([key, value]) => `        <property name="${xml(key)}" value="${xml(value)}"/>`),
        ...(properties.length > 0 ? ['      </properties>'] : []),
        ...(failure === null ? [] : [`      <failure message="${xml(failure)}"/>`]),
        ...(isSkipped ? ['      <skipped/>'] : []),
        '    </testcase>',
      ]),
      '  </testsuite>',
    ].join('\n');
  });
  return ['<?xml version="1.0" encoding="UTF-8"?>', '<testsuites>', ...suites, '</testsuites>', ''].join('\n');
}

/** A table for each suite, for a pull request or a job's summary. */
export function toMarkdown(reports: readonly SuiteReport[]): string {
  return reports
    .map(({ name, tests, acceptance, skippedTests, experimentUrl }) => {
      const names = [...new Set(tests.flatMap(({ annotations }) => annotations.map((each) => each.name)))];
      const failedCount = tests.filter(({ error }) => error !== null).length;
      const rows = tests.map(({ name: test, error, annotations, durationMs }) => {
        const byName = new Map(annotations.map((annotation) => [annotation.name, annotation]));
        const cells = names.map((each) => {
          const annotation = byName.get(each);
          return annotation ? showAnnotation(annotation) : '';
        });
        return [error === null ? '✓' : '✗', test, ...cells, `${durationMs} ms`, error ?? ''];
      });
      return [
        `### ${cell(name)}`,
        '',
        `${tests.length} runs, ${failedCount} failed, ${skippedTests.length} skipped.${experimentUrl ? ` [Experiment](${experimentUrl})` : ''}`,
        '',
        ...acceptance.map(({ isPassed, explanation }) => `- ${isPassed ? '✓' : '✗'} ${cell(explanation)}`),
        ...(acceptance.length > 0 ? [''] : []),
        row(['', 'test', ...names, 'time', 'error']),
        row(['', 'test', ...names, 'time', 'error'].map(() => '---')),
        ...rows.map(row),
        '',
      ].join('\n');
    })
    .join('\n');
}

/** One line for each suite and condition, for a terminal. */
export function toSummary(reports: readonly SuiteReport[]): string[] {
  return reports.flatMap(({ name, tests, acceptance, experimentUrl }) => [
    `${plain(name)}: ${tests.filter(({ error }) => error === null).length} of ${tests.length} runs passed${experimentUrl ? `, ${experimentUrl}` : ', not stored'}`,
    ...acceptance.map(({ isPassed, explanation }) => `  ${isPassed ? '✓' : '✗'} ${plain(explanation)}`),
  ]);
}

interface Shown {
  readonly score: number | null;
  readonly label: string | null;
  readonly error: string | null;
}

const showAnnotation = ({ score, label, error }: Shown): string =>
  error === null ? [score, label].filter((part) => part !== null).join(' ') : `error: ${error}`;

const row = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`;
const plain = (text: string): string => text.replace(/[\p{Cc}\p{Cf}]+/gu, ' ');
/** Texts of models must not end a table, or be HTML or a link. */
const cell = (text: string): string =>
  plain(text.length > 300 ? `${text.slice(0, 300)}…` : text).replace(/[\\|<>[\]`*_!&]/g, (sign) =>
    sign === '<' ? '&lt;' : `\\${sign}`,
  );
const xml = (text: string): string =>
  // Most control characters are forbidden in XML, also as entities.
  plain(text).replace(
    /[<>&"'\ud800-\udfff\ufffe\uffff]/g,
    (sign) => ({ '<': '&lt;', '>': '&gt;', '&': '&amp;', '"': '&quot;', "'": '&apos;' })[sign] ?? '?',
  );
