/** A parsed JSON value with named fields. */
export type JsonObject = Readonly<Record<string, unknown>>

/** Whether a parsed JSON value is an object with named fields. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The string under `name`; null when it is absent or of another type. */
export function stringField(object: JsonObject, name: string): string | null {
  const value = object[name]
  return typeof value === 'string' ? value : null
}

/** The object under `name`; null when it is absent or of another type. */
export function objectField(object: JsonObject, name: string): JsonObject | null {
  const value = object[name]
  return isJsonObject(value) ? value : null
}
