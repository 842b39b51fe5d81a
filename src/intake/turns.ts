/** Runs a task after those that were handed in before it under the same key, however they ended; others meanwhile. */
export type InTurn = <Answer>(key: string, task: () => Promise<Answer>) => Promise<Answer>

/** Keeps the order of a conversation where many runs are accepted at once. Keys are forgotten when nobody waits. */
export function createTurns(): InTurn {
  const last = new Map<string, Promise<unknown>>()
  return (key, task) => {
    const mine = (last.get(key) ?? Promise.resolve()).then(task, task)
    last.set(key, mine)
    const forget = () => {
      if (last.get(key) === mine) last.delete(key)
    }
    mine.then(forget, forget)
    return mine
  }
}

/** The conversation of a run that nobody has read yet, as a key. */
export function turnOf(run: unknown): string {
  return typeof run === 'object' && run !== null && 'conversation' in run
    ? JSON.stringify(run.conversation)
    : ''
}
