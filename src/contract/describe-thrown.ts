/** The message of whatever was thrown; a fixed placeholder for a value that cannot be printed. */
export function describeThrown(thrown: unknown): string {
  try {
    return thrown instanceof Error ? String(thrown.message) : String(thrown)
  } catch {
    return 'unprintable error'
  }
}
