/** Longest wait for Slack to take a reply, in ms. */
const TIMEOUT_MS = 3_000

/** Where `response_url` points: docs.slack.dev/interactivity/handling-user-interaction (2026-08). */
export const SLACK_REPLY_ORIGIN = 'https://hooks.slack.com'

/**
 * Says something to the person who pressed, and to nobody else. The address comes with a signed request; it is still
 * spoken to only when it is Slack's.
 *
 * @returns a code when it was not said, else null
 */
export async function replyToPress(
  responseUrl: string,
  text: string,
  origins: readonly string[],
): Promise<string | null> {
  if (!URL.canParse(responseUrl) || !origins.includes(new URL(responseUrl).origin))
    return 'foreign_response_url'
  try {
    const response = await fetch(responseUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body: JSON.stringify({ response_type: 'ephemeral', replace_original: false, text }),
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    await response.body?.cancel()
    return response.ok ? null : `http_${response.status}`
  } catch {
    return 'not_reached'
  }
}
