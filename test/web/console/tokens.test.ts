import { expect, test } from 'vitest'
import { DARK, LIGHT, type Tokens } from '../../../src/web/console/tokens.js'

/** Relative luminance. Source: WCAG 2.2, "relative luminance". */
function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

type Pair = readonly [keyof Tokens, keyof Tokens]

/** Every pair in which text is read. */
const TEXT: readonly Pair[] = [
  ...(['ink', 'soft', 'accent', 'bad', 'good', 'warn'] as const).flatMap((ink): readonly Pair[] => [
    [ink, 'paper'],
    [ink, 'panel'],
  ]),
  ['onAccent', 'accent'],
  ['good', 'goodFill'],
  ['warn', 'warnFill'],
  ['bad', 'badFill'],
  ['calm', 'calmFill'],
  ['ink', 'calmFill'],
  ['accent', 'calmFill'],
]

/** Borders of fields and buttons, the focus ring, the dots of the timeline: 3 to 1 (WCAG 2.2, 1.4.11). */
const SHAPES: readonly Pair[] = [
  ['edge', 'panel'],
  ['edge', 'paper'],
  ['accent', 'panel'],
  ['accent', 'paper'],
]

for (const [name, tokens] of Object.entries({ light: LIGHT, dark: DARK })) {
  test.each(TEXT)(`${name}: %s on %s can be read`, (ink, fill) => {
    expect(contrast(tokens[ink], tokens[fill])).toBeGreaterThanOrEqual(4.5)
  })

  test.each(SHAPES)(`${name}: %s on %s can be seen`, (ink, fill) => {
    expect(contrast(tokens[ink], tokens[fill])).toBeGreaterThanOrEqual(3)
  })
}
