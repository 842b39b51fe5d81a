/**
 * What the platform says when it refuses. HTTP status and text by code; the codes are those of Lark's public
 * error tables as collected in our platform notes, 4.1-4.8. Codes marked "memory" there are marked here too.
 */
export const REFUSALS = {
  // Tokens and app credentials (4.3 TOKEN, APP SECRET / TICKET; 4.8). The token endpoints refuse with HTTP 200.
  10003: { status: 200, msg: 'invalid param' },
  10012: { status: 200, msg: 'app_ticket is invalid' },
  10013: { status: 200, msg: 'app_ticket was not pushed yet' },
  10014: { status: 200, msg: 'app secret invalid or app disabled' },
  10015: { status: 200, msg: 'app secret invalid' },
  20009: { status: 200, msg: 'tenant has not installed this app' },
  99991661: {
    status: 400,
    msg: 'Missing access token for authorization. Please make a request with token attached.',
  },
  99991662: { status: 400, msg: 'The app is not available.' },
  99991663: {
    status: 400,
    msg: 'Invalid access token for authorization. Please make a test attempt with a valid token.',
  },
  99991664: { status: 200, msg: 'Invalid app access token.' },
  99991668: { status: 401, msg: 'Invalid user access token for authorization.' },
  99991671: { status: 400, msg: "Invalid access token format: it must start with 't-' or 'u-'." },
  99991673: { status: 400, msg: 'The app is not installed in this tenant.' },
  // App and administrator (4.3 CONFIG, APP GONE).
  99991672: { status: 400, msg: 'Access denied. One of the following scopes is required' },
  230006: { status: 400, msg: 'Bot ability is not activated.' },
  230036: { status: 400, msg: 'Tenant has been deleted.' },
  // Rates and quota (4.2). 99991403 is the monthly quota of the tenant's plan, HTTP 429 (seen in public projects).
  99991400: { status: 429, msg: 'request trigger frequency limit' },
  99991403: { status: 429, msg: "This month's API call quota has been exceeded." },
  230020: { status: 400, msg: 'This operation triggers the frequency limit.' },
  230049: { status: 400, msg: 'The message is being sent, do not send it again.' },
  // Request shape and ids.
  99992351: { status: 400, msg: 'The request you send is not a valid {open_id} or not exists' },
  99992354: { status: 400, msg: 'The request you send is not a valid {open_message_id} or not exists' },
  99992402: { status: 400, msg: 'field validation failed' },
  404: { status: 404, msg: '404 page not found' },
  // Conversations (4.3 DESTINATION).
  230001: { status: 400, msg: 'Your request contains an invalid request parameter' },
  230002: { status: 400, msg: 'Bot/User can NOT be out of the chat.' },
  230013: { status: 400, msg: 'Bot has NO availability to this user.' },
  230018: { status: 400, msg: 'The group settings do not allow this operation.' },
  230019: { status: 400, msg: 'The topic does not exist.' },
  230029: { status: 400, msg: 'User has resigned.' },
  230034: { status: 400, msg: 'The receive_id is invalid.' },
  230035: { status: 400, msg: 'Send message permission denied.' },
  230038: { status: 400, msg: 'Cross tenant p2p chat operate forbid.' },
  230053: { status: 400, msg: 'The user has stopped the bot from sending messages.' },
  232006: { status: 400, msg: 'Your request specifies a chat_id which is invalid.' },
  232009: { status: 400, msg: 'Your request specifies a chat which has already been dissolved.' },
  232011: { status: 400, msg: 'Operator can NOT be out of the chat.' },
  // Reply target (4.3 REPLY target). The edit call reuses the last two (memory): not the sender, 20 edits made.
  230011: { status: 400, msg: 'The message was recalled.' },
  230071: { status: 400, msg: 'The operation is not supported for this message or chat.' },
  230072: { status: 400, msg: 'The message does not support this operation any more.' },
  230110: { status: 400, msg: 'Action unavailable as the message has been deleted.' },
  // Content (4.3 CONTENT, FORMAT fallback; 4.6 edits).
  230017: { status: 400, msg: 'Bot is NOT the owner of the resource.' },
  230022: { status: 400, msg: 'The content of the message contains sensitive information.' },
  230025: { status: 400, msg: 'The length of the message content reaches its limit.' },
  230026: { status: 400, msg: 'No permission to recall this message.' },
  230028: { status: 400, msg: 'The messages do NOT pass the audit.' },
  230031: { status: 400, msg: 'The valid time for updating the card is 14 days, your request exceeded it.' },
  230054: { status: 400, msg: 'This operation is not supported for this message type.' },
  230055: { status: 400, msg: 'The type of file upload does not match the type of message being sent.' },
  230099: { status: 400, msg: 'Failed to create card content' },
  // Reactions, files, contacts (memory).
  231001: { status: 400, msg: 'reaction type is invalid.' },
  231003: { status: 400, msg: 'The message is not existed or is recalled.' },
  231007: { status: 400, msg: 'The operator has no permission to delete the reaction.' },
  234001: { status: 400, msg: 'Invalid request param.' },
  234006: { status: 400, msg: 'The file size exceed the max value.' },
  234010: { status: 400, msg: "File's size can't be 0." },
  41050: { status: 403, msg: 'no user authority error' },
} as const satisfies Record<number, { readonly status: number; readonly msg: string }>

export type RefusalCode = keyof typeof REFUSALS

/** Thrown by a handler when the platform would refuse the call. `detail` is what Lark appends after `ext=`. */
export class LarkRefusal extends Error {
  override readonly name = 'LarkRefusal'
  constructor(
    readonly code: RefusalCode,
    readonly detail: string | null = null,
  ) {
    super(`${code}`)
  }
}

/** A refused card: code 230099 with the card service's own number in the text, as the real one answers. */
export function cardRefusal(errCode: number, message: string): LarkRefusal {
  return new LarkRefusal(230099, `ErrCode: ${errCode}; ErrMsg: ${message}`)
}

/** The text of a refusal as it goes over the wire. */
export function refusalText(refusal: LarkRefusal): string {
  const { msg } = REFUSALS[refusal.code]
  return refusal.detail === null ? msg : `${msg}, ext=${refusal.detail}`
}
