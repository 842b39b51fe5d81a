import { z } from 'zod'
import { ERRORS, type ErrorCode, LastwordError } from '../errors.js'

const accepted = z.object({ deliveryId: z.string(), isNew: z.boolean() })
const problem = z.object({
  code: z.string().optional(),
  title: z.string().optional(),
  errors: z.array(z.object({ path: z.string(), expected: z.string() })).optional(),
})

export type Sent = z.infer<typeof accepted>

/**
 * Posts a run to a running Lastword.
 *
 * @throws {LastwordError} `service_unreachable`, or what the service answered
 */
export async function postRun(serviceUrl: string, apiKey: string, run: unknown): Promise<Sent> {
  const response = await fetch(new URL('/v1/runs', serviceUrl), {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${apiKey}` },
    body: JSON.stringify(run),
  }).catch((cause) => {
    throw new LastwordError(
      'service_unreachable',
      `nothing answers at ${serviceUrl}; start it with npm start`,
      { cause },
    )
  })
  const body: unknown = await response.json().catch(() => null)
  if (response.ok) return accepted.parse(body)
  const told = problem.safeParse(body).data
  throw new LastwordError(codeOf(told?.code), told?.title ?? `the service answered ${response.status}`, {
    faults: told?.errors ?? [],
  })
}

function codeOf(code: string | undefined): ErrorCode {
  return code !== undefined && isErrorCode(code) ? code : 'internal'
}

function isErrorCode(code: string): code is ErrorCode {
  return code in ERRORS
}
