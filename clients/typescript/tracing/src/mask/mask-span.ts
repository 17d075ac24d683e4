import { REDACTED_VALUE } from '@arizeai/openinference-core';
import type { Attributes, AttributeValue } from '@opentelemetry/api';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';
import { type HideOptions, type HideRule, readHideRules } from './hide-rules.ts';
import { type PathPattern, parsePath, replaceAt } from './path-pattern.ts';

/** What is masked before spans leave the program, in memory, in files and on the wire. */
export interface MaskOptions extends HideOptions {
  /** Attributes, such as `metadata.**`, or values in their JSON, such as `input.value#/user/email`. */
  readonly paths?: readonly (string | RegExp)[];
  /** Texts that are masked wherever they occur: attributes, events, names and status messages. */
  readonly patterns?: readonly RegExp[];
  /** Default `__REDACTED__`. */
  readonly replacement?: string;
}

/** Returns the span itself when nothing is masked. Undefined when no mask is set. */
export type MaskSpan = (span: ReadableSpan) => ReadableSpan;

/** @throws {Error} for a path that is none */
export function createMask(options: MaskOptions = {}): MaskSpan {
  const { paths = [], patterns = [], replacement = REDACTED_VALUE } = options;
  const { byKey, byImage } = readHideRules(options);
  const rules: Rules = {
    byKey,
    byImage,
    replacement,
    paths: paths.map((path) =>
      typeof path === 'string' ? parsePath(path) : { matchesKey: (key: string) => isMatch(path, key), steps: [] },
    ),
    patterns: patterns.map((pattern) => new RegExp(pattern.source, [...new Set(`${pattern.flags}g`)].join(''))),
  };
  const changesNames = rules.patterns.length > 0;
  return (span) => {
    const attributes = maskAttributes(rules, span.attributes);
    const events = span.events.map((event) => {
      const masked = maskAttributes(rules, event.attributes ?? {});
      const name = maskText(rules, event.name);
      return masked === (event.attributes ?? {}) && name === event.name
        ? event
        : { ...event, name, attributes: masked };
    });
    const hasEvents = events.some((event, index) => event !== span.events[index]);
    if (attributes === span.attributes && !hasEvents && !changesNames) return span;
    const { message } = span.status;
    // The span itself may go to other processors, so it stays as it is.
    return Object.create(span, {
      attributes: { value: attributes },
      events: { value: events },
      name: { value: maskText(rules, span.name) },
      status: { value: message ? { ...span.status, message: maskText(rules, message) } : span.status },
    }) as ReadableSpan;
  };
}

interface Rules {
  readonly byKey: HideRule | undefined;
  readonly byImage: HideRule;
  readonly paths: readonly PathPattern[];
  readonly patterns: readonly RegExp[];
  readonly replacement: string;
}

/** The given object when nothing is masked, else a copy. */
function maskAttributes(rules: Rules, attributes: Attributes): Attributes {
  let masked: Attributes | undefined;
  for (const key in attributes) {
    const value = attributes[key];
    const next = maskValue(rules, key, value);
    if (next === value) continue;
    masked ??= { ...attributes };
    if (next === undefined) delete masked[key];
    else masked[key] = next;
  }
  return masked ?? attributes;
}

function maskValue(rules: Rules, key: string, value: AttributeValue | undefined): AttributeValue | undefined {
  const action = rules.byKey?.(key, value) ?? rules.byImage(key, value);
  if (action) return action === 'remove' ? undefined : REDACTED_VALUE;
  let masked = value;
  for (const path of rules.paths) if (path.matchesKey(key)) masked = maskPath(rules, path, masked);
  if (rules.patterns.length === 0) return masked;
  if (typeof masked === 'string') return maskText(rules, masked);
  if (!Array.isArray(masked) || !masked.some((item) => typeof item === 'string')) return masked;
  const items = masked.map((item) => (typeof item === 'string' ? maskText(rules, item) : item));
  return items.some((item, index) => item !== (masked as readonly unknown[])[index]) ? (items as string[]) : masked;
}

function maskPath({ replacement }: Rules, { steps }: PathPattern, value: AttributeValue | undefined): AttributeValue {
  if (steps.length === 0 || typeof value !== 'string') return replacement;
  try {
    const parsed: unknown = JSON.parse(value);
    const before = JSON.stringify(parsed);
    const after = JSON.stringify(replaceAt(parsed, steps, replacement));
    return before === after ? value : after;
  } catch {
    // A text that is no JSON, such as one that was cut, may have the value anywhere.
    return replacement;
  }
}

function maskText({ patterns, replacement }: Rules, text: string): string {
  let masked = text;
  for (const pattern of patterns) masked = masked.replace(pattern, () => replacement);
  return masked;
}

function isMatch(pattern: RegExp, key: string): boolean {
  pattern.lastIndex = 0;
  return pattern.test(key);
}
