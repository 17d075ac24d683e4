/** Icons as strokes on a 16-pixel grid. */
const PATHS = {
  arch: 'M2.500 2.500h11v11h-2C11.500 8.500 10.500 5.500 8 5.500s-3.500 3-3.500 8h-2z',
  search: 'M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10zM10.600 10.600 14 14',
  tracing: 'M2 4h7M5 8h9M4 12h6',
  settings: 'M2 4.500h7M13 4.500h1M2 11.500h1M7 11.500h7M11 3v3M5 10v3',
  book: 'M3 2.500h8.500a1.500 1.500 0 0 1 1.500 1.500v9.500H4.500A1.500 1.500 0 0 1 3 12zM3 12a1.500 1.500 0 0 1 1.500-1.500H13',
  panel: 'M2.500 3h11v10h-11zM6.500 3v10',
  panelRight: 'M2.500 3h11v10h-11zM8.500 3v10',
  path: 'M2.500 4h5v4h3v4h3M2.500 12h.01M13.500 4h.01',
  fold: 'M5 3l3 3 3-3M5 13l3-3 3 3M2.500 8h11',
  swap: 'M3 5.500h9.500M10 3l2.500 2.500L10 8M13 10.500H3.500M6 8l-2.500 2.500L6 13',
  compare: 'M2.500 3h4.500v10H2.500zM9 3h4.500v10H9zM4 6h1.500M4 8.500h1.500M10.500 6H12',
  flag: 'M4 14V2.500h8l-2 3 2 3H4',
  keyboard: 'M1.500 4h13v8h-13zM4 6.500h.01M7 6.500h.01M10 6.500h.01M12 6.500h.01M5 9.500h6',
  sun: 'M8 10.500a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5zM8 1.500v1.500M8 13v1.500M1.500 8H3M13 8h1.500M3.400 3.400l1 1M11.600 11.600l1 1M12.600 3.400l-1 1M4.400 11.600l-1 1',
  moon: 'M13 9.500A5.500 5.500 0 0 1 6.500 3 5.500 5.500 0 1 0 13 9.500z',
  system: 'M2 3h12v8H2zM6 13.500h4M8 11v2.500',
  braces:
    'M6 2.500c-2 0-2 1-2 2.500s0 2.500-1.500 3c1.500.5 1.500 1.500 1.500 3s0 2.500 2 2.500M10 2.500c2 0 2 1 2 2.500s0 2.500 1.500 3c-1.500.5-1.500 1.500-1.500 3s0 2.500-2 2.500',
  bookmark: 'M4 2.500h8v11l-4-3-4 3z',
  wrap: 'M2.500 4h11M2.500 8h8.500a2.200 2.200 0 0 1 0 4.400H8M9.500 10.500 7.500 12.400l2 1.900M2.500 12.400h2',
  filter: 'M2.500 4h11M4.500 8h7M6.500 12h3',
  download: 'M8 2.500v7.500M4.500 7 8 10.500 11.500 7M3 13.500h10',
  down: 'M4 6.500 8 10.500l4-4',
  right: 'M6.500 4l4 4-4 4',
  left: 'M9.500 4l-4 4 4 4',
  up: 'M4 9.500 8 5.500l4 4',
  close: 'M4 4l8 8M12 4l-8 8',
  check: 'M3 8.500 6.500 12 13 4.500',
  copy: 'M5.500 5.500h8v8h-8zM10.500 5.500v-3h-8v8h3',
  more: 'M3.500 8h.01M8 8h.01M12.500 8h.01',
  plus: 'M8 3v10M3 8h10',
  minus: 'M3 8h10',
  trash: 'M2.500 4h11M6 4V2.500h4V4M4 4l.7 9.500h6.600L12 4M6.700 6.500v4.500M9.300 6.500v4.500',
  edit: 'M3 13l.6-2.600L10.800 3.200l2 2L5.600 12.400zM9.500 4.500l2 2',
  clock: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 4.500V8l2.500 1.500',
  play: 'M5 3.500v9l7-4.500z',
  pause: 'M5.500 3.500v9M10.500 3.500v9',
  columns: 'M2.500 3h11v10h-11zM6.200 3v10M9.800 3v10',
  error: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 5v3.500M8 11h.01',
  warning: 'M8 2.500 14.500 13.500h-13zM8 6.500v3M8 11.500h.01',
  refresh: 'M13 8a5 5 0 1 1-1.500-3.500M13 2.500v3h-3',
  grid: 'M2.500 2.500h4.500v4.500H2.500zM9 2.500h4.500v4.500H9zM2.500 9h4.500v4.500H2.500zM9 9h4.500v4.500H9z',
  list: 'M2.500 4h11M2.500 8h11M2.500 12h11',
  link: 'M6.500 9.500l3-3M7.500 4.500 9 3a2.800 2.800 0 0 1 4 4l-1.500 1.500M8.500 11.500 7 13a2.800 2.800 0 0 1-4-4l1.500-1.500',
  expand: 'M3 6V3h3M13 6V3h-3M3 10v3h3M13 10v3h-3',
  llm: 'M8 2l1.300 4.700L14 8l-4.700 1.300L8 14l-1.300-4.700L2 8l4.700-1.300z',
  chain: 'M2.500 8h11M10 4.500 13.500 8 10 11.500M2.500 5v6',
  agent: 'M3 6h10v7H3zM8 6V3M6 9.200h.01M10 9.200h.01M6.500 2.500h3',
  tool: 'M9.500 6.500l-6 6M9 3a3.500 3.500 0 0 0 4 4l.5-2-1.700.4L11 4l.4-1.700z',
  retriever: 'M6.500 11A4.500 4.500 0 1 0 6.500 2a4.500 4.500 0 0 0 0 9zM10 10l4 4M4.500 6.500h4',
  embedding: 'M3 13l5-10 5 10M3 13h10M5.500 8.500h5',
  reranker: 'M5 3v10M2.500 10.500 5 13l2.500-2.500M9.500 4h4M9.500 8h3M9.500 12h2',
  evaluator: 'M2.500 13.500h11M4 11V8M8 11V3M12 11V6',
  guardrail: 'M8 2l5 2v4c0 3-2 5-5 6-3-1-5-3-5-6V4z',
  prompt: 'M3 3h10v8H7l-3 2.500V11H3zM6 6h4M6 8.200h2.500',
  user: 'M8 8a2.700 2.700 0 1 0 0-5.400A2.700 2.700 0 0 0 8 8zM2.800 13.500c.5-2.600 2.500-4 5.200-4s4.700 1.400 5.200 4',
  unknown: 'M8 13A5 5 0 1 0 8 3a5 5 0 0 0 0 10z',
} as const;

export type IconName = keyof typeof PATHS;

/** Decorative icon beside text or in a labelled control. */
export function Icon({ name, size = 16 }: { readonly name: IconName; readonly size?: number }) {
  return (
    <svg
      className="icon"
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill={name === 'arch' || name === 'play' ? 'currentColor' : 'none'}
      stroke={name === 'arch' ? 'none' : 'currentColor'}
      strokeWidth={name === 'more' ? 2.2 : 1.4}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
