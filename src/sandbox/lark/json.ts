export type JsonObject = { readonly [key: string]: unknown }

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The parsed value, or undefined when the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The field when it is a string, else null. */
export function stringOf(object: JsonObject, field: string): string | null {
  const value = object[field]
  return typeof value === 'string' ? value : null
}
