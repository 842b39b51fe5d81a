/** Words of ours for what a platform did, besides the vendors' own codes. */
const OUR_CODES = [
  'timeout',
  'unreadable_answer',
  'lookup_incomplete',
  'credentials_unavailable',
  'thrown',
  'thrown_after_success',
  'refresh_failed',
  'app_ticket_missing',
  'econnrefused',
  'econnreset',
  'enotfound',
  'etimedout',
] as const

/** What every other code is counted as. */
export const OTHER_CODE = 'other'

/**
 * Keeps the label set of codes bounded: what no table of ours names is counted together. HTTP statuses are the five
 * hundred or so that exist.
 *
 * @param vendorCodes the codes that the platforms' tables name
 */
export function createCodeLabel(vendorCodes: Iterable<string>): (code: string | null) => string {
  const known = new Set<string>([...OUR_CODES, ...vendorCodes])
  return (code) => {
    if (code === null) return OTHER_CODE
    const folded = code.toLowerCase()
    if (known.has(code)) return code
    return known.has(folded) || /^(?:upload_)?http_[1-5]\d\d$/.test(folded) ? folded : OTHER_CODE
  }
}
