import type { LarkCall } from './call.js'
import { checkCard } from './card.js'
import { LARK_LOCALES } from './card-text.js'
import { isObject, type JsonObject, parseJson, stringOf } from './json.js'
import type { App, World } from './records.js'
import { LarkRefusal } from './refusal.js'

/** Platform notes 4.1: sizes of the request body for texts, of the content for posts and cards. */
export const MAX_TEXT_BYTES = 150 * 1024
export const MAX_RICH_BYTES = 30 * 1024

const MESSAGE_TYPES = new Set([
  'text',
  'post',
  'image',
  'file',
  'audio',
  'media',
  'sticker',
  'interactive',
  'share_chat',
  'share_user',
  'system',
])

/** Node tags of a post and the fields each must have (4.6). */
const POST_NODES: Readonly<Record<string, readonly string[]>> = {
  text: ['text'],
  a: ['text', 'href'],
  at: ['user_id'],
  img: ['image_key'],
  media: ['file_key'],
  emotion: ['emoji_type'],
  hr: [],
  code_block: ['text'],
  md: ['text'],
}
const POST_STYLES = new Set(['bold', 'italic', 'underline', 'lineThrough'])

/**
 * Checks `msg_type` and `content` of a create, reply or edit as the platform does, and returns the type.
 *
 * @throws {LarkRefusal} 99992402 field missing, 230001 unknown type or malformed content, 230025 too long, 230099 card
 */
export function checkContent(world: World, call: LarkCall, app: App): { type: string; content: string } {
  const type = stringOf(call.body, 'msg_type')
  const content = stringOf(call.body, 'content')
  if (type === null) throw new LarkRefusal(99992402, 'msg_type is required')
  if (!MESSAGE_TYPES.has(type)) throw new LarkRefusal(230001, 'invalid msg_type')
  if (content === null) throw new LarkRefusal(99992402, 'content must be a JSON string')
  checkTyped(world, { type, content, bodyBytes: call.bodyBytes, app })
  return { type, content }
}

interface Candidate {
  readonly type: string
  readonly content: string
  readonly bodyBytes: number
  readonly app: App
}

export function checkTyped(world: World, candidate: Candidate): void {
  const { type, content } = candidate
  const isRich = type === 'post' || type === 'interactive'
  if (isRich && Buffer.byteLength(content) > MAX_RICH_BYTES) throw new LarkRefusal(230025)
  if (candidate.bodyBytes > MAX_TEXT_BYTES) throw new LarkRefusal(230025)
  const parsed = parseJson(content)
  if (type === 'interactive') {
    checkCard(parsed, (openId) => world.users.has(openId))
    return
  }
  if (!isObject(parsed)) throw new LarkRefusal(230001, 'content is not a string in json format')
  if (type === 'text') checkText(parsed)
  else if (type === 'post') checkPost(parsed)
  else if (type === 'file') checkFile(world, parsed, candidate.app)
  else checkReference(type, parsed)
}

function checkText(content: JsonObject): void {
  const text = stringOf(content, 'text')
  if (text === null) throw new LarkRefusal(230001, 'text is required in content')
  if (text.trim() === '') throw new LarkRefusal(230001, 'text is empty')
}

function checkPost(content: JsonObject): void {
  const entries = Object.entries(content)
  if (entries.length === 0) throw new LarkRefusal(230001, 'post content needs a language')
  for (const [locale, body] of entries) {
    if (!LARK_LOCALES.has(locale)) throw new LarkRefusal(230001, `invalid language ${locale}`)
    if (!isObject(body) || !Array.isArray(body.content))
      throw new LarkRefusal(230001, 'post content is not rows')
    if (body.title !== undefined && typeof body.title !== 'string')
      throw new LarkRefusal(230001, 'post title')
    if (body.content.length === 0) throw new LarkRefusal(230001, 'post content is empty')
    for (const row of body.content) checkPostRow(row)
  }
}

function checkPostRow(row: unknown): void {
  if (!Array.isArray(row)) throw new LarkRefusal(230001, 'a post paragraph must be a list of nodes')
  for (const node of row) {
    if (!isObject(node)) throw new LarkRefusal(230001, 'a post node must be an object')
    const tag = stringOf(node, 'tag') ?? ''
    const fields = Object.hasOwn(POST_NODES, tag) ? POST_NODES[tag] : undefined
    if (fields === undefined) throw new LarkRefusal(230001, `invalid post tag ${tag}`)
    for (const field of fields) {
      if (stringOf(node, field) === null) throw new LarkRefusal(230001, `${tag} needs ${field}`)
    }
    if (tag === 'md' && row.length > 1) throw new LarkRefusal(230001, 'md must be alone in its paragraph')
    checkStyle(node)
  }
}

function checkStyle(node: JsonObject): void {
  if (node.style === undefined) return
  const isList = Array.isArray(node.style) && node.style.every((style) => POST_STYLES.has(String(style)))
  if (!isList) throw new LarkRefusal(230001, 'invalid style')
}

function checkFile(world: World, content: JsonObject, app: App): void {
  const file = world.files.get(stringOf(content, 'file_key') ?? '')
  if (file === undefined) throw new LarkRefusal(230001, 'file_key is invalid')
  if (file.appId !== app.id) throw new LarkRefusal(230017)
  if (file.type === 'opus') throw new LarkRefusal(230055)
}

/** Types we never send: only the reference they need is checked. */
function checkReference(type: string, content: JsonObject): void {
  const field = type === 'share_chat' ? 'chat_id' : type === 'share_user' ? 'user_id' : null
  if (field === null || stringOf(content, field) === null)
    throw new LarkRefusal(230001, `${type} content is invalid`)
}
