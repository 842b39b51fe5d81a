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
