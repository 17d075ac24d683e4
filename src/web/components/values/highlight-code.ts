import bash from 'highlight.js/lib/languages/bash';
import diff from 'highlight.js/lib/languages/diff';
import go from 'highlight.js/lib/languages/go';
import java from 'highlight.js/lib/languages/java';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import python from 'highlight.js/lib/languages/python';
import sql from 'highlight.js/lib/languages/sql';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';
import { createLowlight } from 'lowlight';

/** Languages that models write most. Each adds some kB to the chunk; code in other languages has one color. */
const lowlight = createLowlight({ bash, diff, go, java, javascript, json, python, sql, typescript, xml, yaml });

/** The highlighter takes up to a second for a megabyte of code, and the page waits for it. */
const CODE_CHARS_MAX = 50_000;

/** Spans of the code with `hljs-` classes. Undefined for an unknown language, and for code that is too long. */
export function highlightCode(code: string, language: string) {
  if (code.length > CODE_CHARS_MAX || !lowlight.registered(language)) return undefined;
  return lowlight.highlight(language, code).children;
}
