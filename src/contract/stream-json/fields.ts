/** A parsed JSON object, its fields not yet looked at. */
export type JsonObject = Readonly<Record<string, unknown>>

export type FieldCheck = (value: unknown) => boolean

/** The fields a reader of an object relies on, and the type each must have. Fields it does not name may be anything. */
export type Shape = ReadonlyMap<string, FieldCheck>

export function shape(fields: Readonly<Record<string, FieldCheck>>): Shape {
  return new Map(Object.entries(fields))
}

/** Whether every relied-on field that is present has its type. `null` counts as absent. */
export function fits(object: JsonObject, fields: Shape): boolean {
  // Walking the object's own few fields is cheaper than probing it for every field of the shape.
  for (const name in object) {
    const value = object[name]
    if (value !== null && fields.get(name)?.(value) === false) return false
  }
  return true
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function isText(value: unknown): value is string {
  return typeof value === 'string'
}

export function isFlag(value: unknown): value is boolean {
  return typeof value === 'boolean'
}

export function isNumber(value: unknown): value is number {
  return typeof value === 'number'
}

/** Token counts and the like: a fraction makes the producer's own reader reject the event. */
export function isInteger(value: unknown): value is number {
  return Number.isInteger(value)
}

export function objectOf(fields: Shape): FieldCheck {
  return (value) => isObject(value) && fits(value, fields)
}

/** An object used as a dictionary: every value that is not null passes `check`. */
export function dictionaryOf(check: FieldCheck): FieldCheck {
  return (value) => isObject(value) && Object.values(value).every((entry) => entry === null || check(entry))
}

/** The text of a field; absent, null or another type reads as empty. */
export function textField(object: JsonObject, name: string): string {
  const value = object[name]
  return typeof value === 'string' ? value : ''
}
