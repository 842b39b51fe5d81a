/** A parsed JSON object, its fields not yet looked at. */
export type JsonObject = Readonly<Record<string, unknown>>

/** Tells whether an object has the types a reader relies on. Written by hand: it runs for every event. */
export type Guard = (object: JsonObject) => boolean

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The optional guards take `null` for an absent field, as the runtimes do. */
export function isOptionalText(value: unknown): boolean {
  return typeof value === 'string' || value === undefined || value === null
}

export function isOptionalFlag(value: unknown): boolean {
  return typeof value === 'boolean' || value === undefined || value === null
}

export function isOptionalNumber(value: unknown): boolean {
  return typeof value === 'number' || value === undefined || value === null
}

/** Token counts and the like: a fraction makes the producer's own reader reject the event. */
export function isOptionalInteger(value: unknown): boolean {
  return value === undefined || value === null || Number.isInteger(value)
}

export function isOptionalObject(value: unknown, guard: Guard): boolean {
  return value === undefined || value === null || (isObject(value) && guard(value))
}

/** An object used as a dictionary: every value that is not null passes the guard. */
export function isOptionalDictionary(value: unknown, guard: Guard): boolean {
  if (value === undefined || value === null) return true
  return isObject(value) && Object.values(value).every((entry) => isOptionalObject(entry, guard))
}

/** The text of a field; absent, null or another type reads as empty. */
export function textField(object: JsonObject, name: string): string {
  const value = object[name]
  return typeof value === 'string' ? value : ''
}

/** A text, or empty for any other value. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
