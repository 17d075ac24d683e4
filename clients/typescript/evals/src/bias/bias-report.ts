import { type BiasFinding, points } from './finding.ts';

const COLUMNS = ['check', 'result', 'effect', '95 % interval', 'p (corrected)', 'rows', 'in words'];

/** Findings of all checks of a judge, as a text table, HTML and JSON. */
export class BiasReport {
  readonly evaluator: string;
  /** The field whose text was varied. */
  readonly field: string;
  readonly positive: string;
  readonly count: number;
  readonly findings: readonly BiasFinding[];

  constructor({
    evaluator,
    field,
    positive,
    count,
    findings,
  }: Pick<BiasReport, 'evaluator' | 'field' | 'positive' | 'count' | 'findings'>) {
    this.evaluator = evaluator;
    this.field = field;
    this.positive = positive;
    this.count = count;
    this.findings = findings;
  }

  get found(): readonly BiasFinding[] {
    return this.findings.filter(({ status }) => status === 'found');
  }

  sentences(): string[] {
    return this.findings.map(({ check, sentence }) => `${check}: ${sentence}`);
  }

  /** A table without styles and scripts. Texts are escaped. */
  toHtml(): string {
    const row = (tag: string, cells: readonly string[]) =>
      `<tr>${cells.map((cell) => `<${tag}>${escapeHtml(cell)}</${tag}>`).join('')}</tr>`;
    const body = this.findings.map((finding) => row('td', toCells(finding))).join('');
    return `<table><caption>${escapeHtml(titleOf(this))}</caption><thead>${row('th', COLUMNS)}</thead><tbody>${body}</tbody></table>`;
  }

  toString(): string {
    const rows = [COLUMNS, ...this.findings.map(toCells)];
    const widths = COLUMNS.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
    const lines = rows.map((row) =>
      row.map((cell, column) => (column === COLUMNS.length - 1 ? cell : cell.padEnd(widths[column] ?? 0))).join('  '),
    );
    return [titleOf(this), '', ...lines].join('\n');
  }
}

const titleOf = ({ evaluator, count, found }: BiasReport): string =>
  `Biases of ${evaluator} on ${count.toLocaleString('en')} rows: ${found.length} found`;

function toCells({ check, status, effect, low, high, adjustedPValue: p, count, sentence }: BiasFinding): string[] {
  return [
    check,
    status,
    effect === undefined ? '' : `${effect < 0 ? '' : '+'}${points(effect)} points`,
    low === undefined || high === undefined ? '' : `${points(low)} to ${points(high)}`,
    p === undefined ? '' : p < 0.001 ? '< 0.001' : p.toFixed(3),
    count.toLocaleString('en'),
    sentence,
  ];
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#x27;',
};

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => ESCAPES[character] as string);
