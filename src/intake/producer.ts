/** What a key may be allowed to do. */
export const RIGHTS = [
  'runs:write',
  'notices:write',
  'deliveries:read',
  'deliveries:write',
  'console',
] as const
export type Right = (typeof RIGHTS)[number]

export function isRight(text: string): text is Right {
  return RIGHTS.some((right) => right === text)
}

/** Who is asking, and what they may do. */
export interface Producer {
  readonly name: string
  may(right: Right): boolean
  mayPostTo(installationId: string): boolean
  /** Installations it may post to and see; null is all of them. */
  readonly installationIds: readonly string[] | null
}

/** Who holds the operator's own key, or writes to the operator's own database: everything is theirs. */
export function trustedProducer(name: string): Producer {
  return { name, may: () => true, mayPostTo: () => true, installationIds: null }
}
