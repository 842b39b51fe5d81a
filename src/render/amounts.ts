/** What something takes of each budget, by the platform's own field names. A missing field is zero. */
export type Cost = Readonly<Record<string, number>>

/** A cost in numbers alone: one for each field of the budget, in its order. */
export type Amounts = readonly number[]

export function plus(a: Amounts, b: Amounts): Amounts {
  return a.map((amount, at) => amount + (b[at] ?? 0))
}

export function minus(a: Amounts, b: Amounts): Amounts {
  return a.map((amount, at) => amount - (b[at] ?? 0))
}

export function exceeds(amounts: Amounts, limits: Amounts): boolean {
  return amounts.some((amount, at) => amount > (limits[at] ?? 0))
}
