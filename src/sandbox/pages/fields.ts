/** An object of a platform's wire format, looked at field by field. */
export type Fields = { readonly [field: string]: unknown }

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value when it is an object, else an empty one. */
export function fields(value: unknown): Fields {
  return isFields(value) ? value : {}
}

/** The objects of a list; anything else is left out. */
export function list(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.filter(isFields) : []
}

/** Text, or what a number or boolean reads as, else the empty string. */
export function string(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : ''
}

/** The parsed object of a JSON text, empty when it is none. */
export function parsed(text: string): Fields {
  try {
    return fields(JSON.parse(text))
  } catch {
    return {}
  }
}
