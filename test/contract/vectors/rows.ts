import { readFileSync } from 'node:fs'
import type { ContentBlock } from '../../../src/contract/content.js'
import type { JsonObject } from '../../../src/contract/json-object.js'
import { isJsonObject } from '../../../src/contract/json-object.js'

/** One row of `assistant-output.json`. */
export interface OutputRow {
  readonly suite: string
  readonly name: string
  readonly backend?: string
  readonly seedEvents?: readonly (JsonObject & { readonly kind: string })[]
  readonly events: readonly (JsonObject & { readonly kind: string })[]
  readonly input?: JsonObject
  readonly result?: JsonObject
  readonly expect: JsonObject & { readonly output: readonly ContentBlock[] | null }
}

/** One row of `silence.json`. */
export interface SilenceRow {
  readonly suite: string
  readonly name: string
  readonly provenance: JsonObject | null
  readonly sequence: readonly (JsonObject & { readonly step: string })[]
  readonly expect: JsonObject
}

function readRows<Row extends { readonly suite: string }>(file: string): readonly Row[] {
  const rows: unknown = JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8'))
  if (!Array.isArray(rows) || !rows.every(isJsonObject)) throw new TypeError(`${file} must be a list of rows`)
  return rows as unknown as readonly Row[]
}

const OUTPUT_ROWS = readRows<OutputRow>('./assistant-output.json')
const SILENCE_ROWS = readRows<SilenceRow>('./silence.json')

export function outputRows(suite: string): readonly OutputRow[] {
  return OUTPUT_ROWS.filter((row) => row.suite === suite)
}

export function silenceRows(suite: string): readonly SilenceRow[] {
  return SILENCE_ROWS.filter((row) => row.suite === suite)
}

/** Every suite of both files, so that one without a test is noticed. */
export function suites(): readonly string[] {
  return [...new Set([...OUTPUT_ROWS, ...SILENCE_ROWS].map((row) => row.suite))].sort()
}

/** The object under `name`, empty when there is none. */
export function child(object: JsonObject | undefined, name: string): JsonObject {
  const value = object?.[name]
  return isJsonObject(value) ? value : {}
}

/** The content blocks under `name`, empty when there are none. */
export function blocks(object: JsonObject | undefined, name: string): readonly ContentBlock[] {
  const value = object?.[name]
  return Array.isArray(value) ? (value as readonly ContentBlock[]) : []
}
