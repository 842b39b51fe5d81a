import { type Logger, LogLevel } from '@slack/web-api'

/** Bolt logs tokens, bodies and answers; only that something went wrong, and its code, leaves here. */
export function quietLogger(onFault: (code: string) => void): Logger {
  const ignore = () => {}
  const fault = (...told: readonly unknown[]) => onFault(codeIn(told))
  return {
    debug: ignore,
    info: ignore,
    warn: ignore,
    error: fault,
    setLevel: ignore,
    setName: ignore,
    getLevel: () => LogLevel.ERROR,
  }
}

function codeIn(told: readonly unknown[]): string {
  const codes = told.map((each) => (each instanceof Error && 'code' in each ? each.code : null))
  const code = codes.find((each) => typeof each === 'string' && /^[a-z0-9_]{1,100}$/i.test(each))
  return typeof code === 'string' ? code : 'bolt_error'
}
