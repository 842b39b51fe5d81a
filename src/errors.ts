/**
 * Every error a person or a producer can meet, by code. The README's errors table has one row per code (a test
 * compares them). `status` is the HTTP status where the error leaves through the API, `exitCode` the command's.
 */
export const ERRORS = {
  config_invalid: {
    status: 500,
    exitCode: 2,
    summary: 'a setting is missing or malformed; every problem is listed',
  },
  usage: { status: 400, exitCode: 2, summary: 'a command was called with words it does not take' },
  database_unreachable: { status: 503, exitCode: 3, summary: 'Postgres did not answer' },
  data_dir_in_use: { status: 500, exitCode: 3, summary: 'another Lastword runs on this data directory' },
  embedded_start_failed: { status: 500, exitCode: 3, summary: 'the embedded Postgres did not start' },
  credentials_unreadable: {
    status: 500,
    exitCode: 3,
    summary: 'stored credentials open with none of LASTWORD_ENCRYPTION_KEYS; bring the key back',
  },
  invalid_json: { status: 400, exitCode: 4, summary: 'the body is not one JSON object' },
  invalid_run: {
    status: 400,
    exitCode: 4,
    summary: 'the run does not have the documented shape; each fault has its path',
  },
  invalid_notice: {
    status: 400,
    exitCode: 4,
    summary: 'the completion notice does not have the documented shape; each fault has its path',
  },
  invalid_request: {
    status: 400,
    exitCode: 4,
    summary: 'the query or body does not have the documented shape; each fault has its path',
  },
  unknown_installation: { status: 400, exitCode: 4, summary: 'no installation for this workspace or tenant' },
  ambiguous_installation: {
    status: 400,
    exitCode: 4,
    summary: 'several installations: name the workspace or tenant',
  },
  payload_too_large: { status: 413, exitCode: 4, summary: 'the body or the output is over its limit' },
  unsupported_media_type: { status: 415, exitCode: 4, summary: 'the body is not JSON' },
  unauthorized: { status: 401, exitCode: 5, summary: 'no key, or not one of ours' },
  forbidden: { status: 403, exitCode: 5, summary: 'this key may not do that for this installation' },
  run_conflict: {
    status: 409,
    exitCode: 4,
    summary: 'the same run for the same conversation with another body',
  },
  not_found: { status: 404, exitCode: 4, summary: 'there is no such thing here' },
  not_replayable: {
    status: 409,
    exitCode: 4,
    summary: 'the delivery is not in a state that can be replayed or cancelled',
  },
  notice_not_found: { status: 404, exitCode: 4, summary: 'no such completion notice in the ledger' },
  notice_wrong_conversation: {
    status: 400,
    exitCode: 4,
    summary: 'the completion notice belongs to another conversation',
  },
  notice_not_queued: {
    status: 409,
    exitCode: 4,
    summary: 'the completion notice was answered or withdrawn already',
  },
  notice_conflict: {
    status: 409,
    exitCode: 4,
    summary: 'the same completion notice stands with another body',
  },
  overloaded: { status: 429, exitCode: 6, summary: 'the database is behind; try again after Retry-After' },
  locale_invalid: {
    status: 500,
    exitCode: 2,
    summary: 'a catalog in LASTWORD_LOCALES_DIR is wrong; every problem is listed',
  },
  service_unreachable: { status: 503, exitCode: 6, summary: 'the Lastword to send to did not answer' },
  platform_unreachable: {
    status: 503,
    exitCode: 6,
    summary: 'a platform did not answer at the first start; later starts go on with what is known',
  },
  platform_refused: { status: 500, exitCode: 2, summary: 'a platform refuses the token of the settings' },
  internal: { status: 500, exitCode: 1, summary: 'a fault of ours; the log has it under the same id' },
} as const satisfies Record<string, { status: number; exitCode: number; summary: string }>

export type ErrorCode = keyof typeof ERRORS

/** One thing wrong with an input: where (JSON pointer or variable name) and what was expected. */
export interface FaultAt {
  readonly path: string
  readonly expected: string
}

/** Branch on `code`, never on `message`. Carries no token and no message text. */
export class LastwordError extends Error {
  override readonly name = 'LastwordError'
  readonly code: ErrorCode
  readonly faults: readonly FaultAt[]
  /** How long to wait before trying again, in milliseconds; only with `overloaded`. */
  readonly retryAfterMs: number | null

  constructor(
    code: ErrorCode,
    detail?: string,
    options: {
      readonly faults?: readonly FaultAt[]
      readonly retryAfterMs?: number
      readonly cause?: unknown
    } = {},
  ) {
    super(detail ?? ERRORS[code].summary, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.faults = options.faults ?? []
    this.retryAfterMs = options.retryAfterMs ?? null
  }
}
