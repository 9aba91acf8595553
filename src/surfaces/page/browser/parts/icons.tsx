/** Small line drawings, 16 by 16. They repeat what a word beside them says, so a screen reader skips them. */

const PATHS = {
  check: 'M3.5 8.5l3 3 6-7',
  cross: 'M4.5 4.5l7 7m0-7l-7 7',
  circle: 'M8 3.2a4.8 4.8 0 1 0 0 9.6 4.8 4.8 0 0 0 0-9.6z',
  pulse: 'M2 8h3l2-4.5 2.5 9L11.5 8H14',
  plus: 'M8 3.500v9M3.5 8h9',
  search: 'M7.2 3a4.2 4.2 0 1 0 0 8.4 4.2 4.2 0 0 0 0-8.400zm3.1 7.300L13.5 13.5',
  home: 'M2.5 3.500h4.500v4H2.500zM9 3.500h4.500v2.500H9zM2.5 9.500h4.500v3H2.500zM9 8h4.500v4.500H9z',
  chart: 'M3 13V8.500M6.3 13V4M9.7 13V6.500M13 13V3',
  pause: 'M5.5 4v8M10.5 4v8',
  play: 'M5 3.500v9l7.5-4.500z',
  stop: 'M4 4h8v8H4z',
  sun: 'M8 5.200a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.600zM8 1.500v1.300M8 13.200v1.300M1.5 8h1.300M13.2 8h1.300M3.4 3.400l.9.9M11.7 11.700l.9.9M3.4 12.600l.9-.9M11.7 4.300l.9-.9',
  moon: 'M13 9.600A5.5 5.5 0 0 1 6.4 3a5.5 5.5 0 1 0 6.6 6.600z',
  talk: 'M2.5 3.500h11v7.500h-6L4.5 13.500V11h-2z',
  tool: 'M9.5 3a3 3 0 0 0-2.7 4.300L3 11.1 4.9 13l3.8-3.800A3 3 0 0 0 13 6.500l-1.8 1.2-1.6-1.500L11 4.200A3 3 0 0 0 9.5 3z',
  person:
    'M8 2.800a2.4 2.4 0 1 0 0 4.8 2.4 2.4 0 0 0 0-4.800zM3.2 13.200c.5-2.6 2.4-3.9 4.8-3.900s4.3 1.3 4.8 3.9',
  warn: 'M8 2.500l6 10.500H2zM8 6.500v3M8 11.300h.01',
  file: 'M4 2.500h5l3 3v8H4zM9 2.500v3h3',
  hand: 'M8 13.500c-2.5 0-4-1.5-4.5-4L3 7.300m5 6.200c2.8 0 4.5-1.7 4.5-4.500V5M5.5 8V3.500M7.8 7.500V2.700M10.2 7.500V3.5',
  arrow: 'M3 8h9.500M9 4.500L12.5 8 9 11.5',
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg
      width="16"
      height="16"
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      stroke-width="1.5"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
