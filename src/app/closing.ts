/** What a process has opened, closed in reverse order: at the end, or when a later part of the start fails. */
export interface Closing {
  add(close: () => Promise<unknown>): void
  /** Closes everything, once. A close that fails does not keep the others from being closed; the first failure is thrown. */
  close(): Promise<void>
}

export function createClosing(): Closing {
  const closers: (() => Promise<unknown>)[] = []
  return {
    add: (close) => void closers.push(close),
    async close() {
      const failures: unknown[] = []
      for (const close of closers.splice(0).toReversed()) {
        await close().catch((error: unknown) => failures.push(error))
      }
      if (failures.length > 0) throw failures[0]
    },
  }
}
