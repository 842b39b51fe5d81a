import type { Message, RenderContext } from './message.js'
import { maskSecrets } from './secrets.js'

/** ANSI colour and cursor sequences: agents paste terminal output. */
const TERMINAL_SEQUENCES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\^_])/g

/**
 * C0 and C1 controls except tab and line feed, bidi embeddings, overrides and isolates (they can show text in an
 * order it does not have: CVE-2021-42574), byte order marks, interlinear marks, non-characters and the deprecated
 * language tag. Joiners and direction marks stay: emoji, Persian and Hindi need them.
 */
const UNSAFE =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\u206a-\u206f\ufeff\ufff9-\ufffb\ufffe\uffff\u{e0001}]/gu
const SUSPECT =
  /[^\t\n\u0020-\u007e\u00a0-\u2027\u202f-\u2065\u2070-\ud7ff\ue000-\ufefe\uff00-\ufff8\ufffc\ufffd]/

/**
 * Text without what breaks stores, wires or readers: line ends become `\n`, control and bidi-override characters
 * go, a lone surrogate becomes U+FFFD. The rest is untouched.
 */
export function sanitize(text: string): string {
  if (!SUSPECT.test(text)) return text
  return text
    .replaceAll(/\r\n?|[\u2028\u2029\u0085]/g, '\n')
    .replaceAll(TERMINAL_SEQUENCES, '')
    .replaceAll(UNSAFE, '')
    .replaceAll(/\p{Surrogate}/gu, '\ufffd')
}

/** The page of a run, unless its address would give a secret away. */
export function safeRunUrl(message: Message, context: RenderContext): string | undefined {
  const { runUrl } = message
  return runUrl !== undefined && makeSafe(runUrl, context.secrets).text === runUrl ? runUrl : undefined
}

/** Outgoing text and how many secrets were masked in it. */
export interface SafeText {
  readonly text: string
  readonly maskedSecrets: number
}

/** Sanitised text with known token shapes and the installation's own secrets masked. Linear in the text. */
export function makeSafe(text: string, secrets: readonly string[]): SafeText {
  return maskSecrets(sanitize(text), secrets)
}
