import type { Handler } from './call.js'
import { isObject, stringOf } from './json.js'
import { LarkRefusal } from './refusal.js'
import { findMessage } from './scope.js'

/** Platform notes 4.6. */
const MAX_FILE_BYTES = 30 * 1024 * 1024
const FILE_TYPES = new Set(['opus', 'mp4', 'pdf', 'doc', 'xls', 'ppt', 'stream'])

/** Some of the names the client knows; the whole list is long and only partly public. */
const EMOJI_TYPES = new Set(
  `OK THUMBSUP THANKS MUSCLE FINGERHEART APPLAUSE FISTBUMP JIAYI DONE SMILE BLUSH LAUGH SMIRK LOL FACEPALM LOVE WINK
  PROUD WITTY SMART SCOWL THINKING SOB CRY ERROR CLAP PARTY HEART ROSE BEER CAKE GIFT CheckMark CrossMark Hundred Pin
  Alarm Loudspeaker Trophy Fire Typing OnIt OneSecond GLANCE Get LGTM EYES SHOCKED YAWN SALUTE`.split(/\s+/),
)

/** `POST im/v1/files`, multipart: keeps the bytes under a key that only this app may send. */
export const uploadFile: Handler = async (world, call, session) => {
  const file = call.form?.get('file')
  const type = call.form?.get('file_type')
  const name = call.form?.get('file_name')
  if (typeof type !== 'string' || !FILE_TYPES.has(type)) throw new LarkRefusal(234001, 'file_type')
  if (typeof name !== 'string' || name === '') throw new LarkRefusal(234001, 'file_name')
  if (!(file instanceof Blob)) throw new LarkRefusal(234001, 'file')
  if (file.size === 0) throw new LarkRefusal(234010)
  if (file.size > MAX_FILE_BYTES) throw new LarkRefusal(234006)
  const key = world.newId('file_v3_')
  const bytes = new Uint8Array(await file.arrayBuffer())
  world.files.set(key, { key, appId: session.app.id, type, name, bytes })
  return { file_key: key }
}

/** `POST im/v1/messages/:message_id/reactions`. */
export const addReaction: Handler = (world, call, session) => {
  const { message } = findMessage(world, call, session)
  if (message.recalled) throw new LarkRefusal(231003)
  const { reaction_type: reaction } = call.body
  const emoji = isObject(reaction) ? stringOf(reaction, 'emoji_type') : null
  if (emoji === null || !EMOJI_TYPES.has(emoji)) throw new LarkRefusal(231001)
  const id = world.newId('ZCaCIjUBVVWSrm5L')
  message.reactions.set(id, { emoji, appId: session.app.id })
  return {
    reaction_id: id,
    operator: { operator_id: session.app.id, operator_type: 'app' },
    action_time: String(world.now()),
    reaction_type: { emoji_type: emoji },
  }
}

/** `GET im/v1/messages/:message_id/reactions`. */
export const listReactions: Handler = (world, call, session) => {
  const { message } = findMessage(world, call, session)
  const items = [...message.reactions].map(([id, { emoji, appId }]) => ({
    reaction_id: id,
    operator: { operator_id: appId, operator_type: 'app' },
    reaction_type: { emoji_type: emoji },
  }))
  const wanted = call.query.reaction_type
  const matching = items.filter((item) => wanted === undefined || item.reaction_type.emoji_type === wanted)
  return { items: matching, has_more: false, page_token: '' }
}

/** `DELETE im/v1/messages/:message_id/reactions/:reaction_id`: only one's own. */
export const removeReaction: Handler = (world, call, session) => {
  const { message } = findMessage(world, call, session)
  const id = call.params.reaction_id ?? ''
  const reaction = message.reactions.get(id)
  if (reaction === undefined) throw new LarkRefusal(231003)
  if (reaction.appId !== session.app.id) throw new LarkRefusal(231007)
  message.reactions.delete(id)
  return { reaction_id: id, reaction_type: { emoji_type: reaction.emoji } }
}
