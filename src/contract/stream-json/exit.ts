import type { ExitFacts } from '../settlement.js'

/** The exit error in the runtime's words; null after a clean exit. */
export function exitErrorText(exit: ExitFacts): string | null {
  if (exit.exitError !== null) return exit.exitError
  return exit.exitCode === null || exit.exitCode === 0 ? null : `exit status ${exit.exitCode}`
}

/** The exit code as given, else as the exit error words it; null when nobody knows. */
export function knownExitCode(exit: ExitFacts): number | null {
  if (exit.exitCode !== null) return exit.exitCode
  const code = /^exit status (\d{1,3})$/.exec(exit.exitError ?? '')?.[1]
  return code === undefined ? null : Number(code)
}

/** A duration the way the runtimes print it: `500ms`, `1s`, `1m30s`, `2h0m0s`. */
export function describeDuration(durationMs: number): string {
  if (durationMs > 0 && durationMs < 1000) return `${durationMs}ms`
  const hours = Math.floor(durationMs / 3_600_000)
  const minutes = Math.floor((durationMs % 3_600_000) / 60_000)
  const seconds = `${(durationMs % 60_000) / 1000}s`
  if (hours > 0) return `${hours}h${minutes}m${seconds}`
  return minutes > 0 ? `${minutes}m${seconds}` : seconds
}
