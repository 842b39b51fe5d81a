import type { JsonObject } from '../../render/part.js'

/** What Lark takes as one message besides the address: `content` is JSON as a string, frozen as it will be sent. */
export interface LarkContent {
  readonly msg_type: 'interactive' | 'post' | 'text'
  readonly content: string
}

/** Bytes `text` takes inside the `content` string of a request body: UTF-8 after both JSON escapings. Additive. */
export function wireBytes(text: string): number {
  let bytes = 0
  for (let index = 0; index < text.length; index += 1) bytes += unitBytes(text, index)
  return bytes
}

/** Bytes of a whole `content` string in the request body, its own quotes left out. */
export function contentBytes(content: string): number {
  let bytes = 0
  for (let index = 0; index < content.length; index += 1) {
    const code = content.charCodeAt(index)
    bytes += code === 0x22 || code === 0x5c ? 2 : unitBytes(content, index)
  }
  return bytes
}

/** `{ msg_type, content }` of a part. The client adds the address and the uuid and sends both as they are. */
export function larkContent(msgType: LarkContent['msg_type'], body: JsonObject): JsonObject & LarkContent {
  return { msg_type: msgType, content: JSON.stringify(body) }
}

function unitBytes(text: string, index: number): number {
  const code = text.charCodeAt(index)
  if (code === 0x22 || code === 0x5c) return 4
  if (code === 0x0a || code === 0x09 || code === 0x0d || code === 0x08 || code === 0x0c) return 3
  if (code < 0x20) return 7
  if (code < 0x80) return 1
  if (code < 0x800) return 2
  // A surrogate pair is 4 bytes, two a half; a lone half is escaped as \\udXXX.
  if (code >= 0xd800 && code <= 0xdfff) return isPaired(text, index, code) ? 2 : 7
  return 3
}

function isPaired(text: string, index: number, code: number): boolean {
  if (code <= 0xdbff) {
    const next = text.charCodeAt(index + 1)
    return next >= 0xdc00 && next <= 0xdfff
  }
  const previous = text.charCodeAt(index - 1)
  return previous >= 0xd800 && previous <= 0xdbff
}

/** UTF-8 bytes of a text. */
export function utf8Bytes(text: string): number {
  return new TextEncoder().encode(text).length
}
