/** Compares by code point, which is the order of UTF-8 bytes. JavaScript's `<` compares UTF-16 units. */
export function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const unitA = a.charCodeAt(i);
    const unitB = b.charCodeAt(i);
    if (unitA !== unitB) return aboveSurrogates(unitA) - aboveSurrogates(unitB);
  }
  return a.length - b.length;
}

/** Surrogates represent code points above U+FFFF, but their values are below U+E000. */
const aboveSurrogates = (unit: number): number => (unit < 0xd800 ? unit : unit < 0xe000 ? unit + 0x2000 : unit - 0x800);

/** Unicode's simple lower case of each code point, regardless of its neighbors: `ΑΣ` and `Ας` have different sigmas. */
export function toSimpleLowerCase(text: string): string {
  if (!BEYOND_ASCII.test(text)) return text.toLowerCase();
  let lower = '';
  for (const char of text) lower += char === DOTTED_I ? 'i' : char.toLowerCase();
  return lower;
}

const BEYOND_ASCII = /[^\p{ASCII}]/u;
/** The only letter whose full lower case has two code points. */
const DOTTED_I = 'İ';
