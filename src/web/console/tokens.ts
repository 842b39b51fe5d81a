/** Colours by what they are for. Every pair that text is read in has a contrast of at least 4.5 (WCAG 2.2 AA), by test. */
export interface Tokens {
  readonly paper: string
  readonly panel: string
  readonly ink: string
  readonly soft: string
  readonly line: string
  /** Borders of what can be typed in or pressed. */
  readonly edge: string
  readonly accent: string
  readonly onAccent: string
  readonly good: string
  readonly goodFill: string
  readonly warn: string
  readonly warnFill: string
  readonly bad: string
  readonly badFill: string
  readonly calm: string
  readonly calmFill: string
}

export const LIGHT: Tokens = {
  paper: '#f6f7f9',
  panel: '#ffffff',
  ink: '#1b1f24',
  soft: '#57606a',
  line: '#d8dee4',
  edge: '#7d8590',
  accent: '#0b57d0',
  onAccent: '#ffffff',
  good: '#116329',
  goodFill: '#dafbe1',
  warn: '#7a4a00',
  warnFill: '#fff1cc',
  bad: '#a40e26',
  badFill: '#ffe5e7',
  calm: '#424a53',
  calmFill: '#eaeef2',
}

export const DARK: Tokens = {
  paper: '#0f1318',
  panel: '#171c23',
  ink: '#e6edf3',
  soft: '#9aa7b4',
  line: '#2b333d',
  edge: '#768390',
  accent: '#79b8ff',
  onAccent: '#0b1622',
  good: '#7ee2a8',
  goodFill: '#12351f',
  warn: '#f2cc60',
  warnFill: '#3d2e05',
  bad: '#ffa198',
  badFill: '#4a1519',
  calm: '#c3ccd5',
  calmFill: '#2a313a',
}

/** Custom properties of a theme: `--goodFill` and so on. */
export function cssOf(tokens: Tokens): string {
  return Object.entries(tokens)
    .map(([name, value]) => `--${name}: ${value};`)
    .join(' ')
}
