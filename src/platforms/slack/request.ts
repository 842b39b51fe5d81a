import type { Marker, Request, Target } from '../../deliver/platform.js'
import type { JsonObject, Part } from '../../render/part.js'

/** Names our messages among all metadata events of a workspace. */
export const MARKER_EVENT_TYPE = 'lastword_part'

/**
 * Message metadata that finds a part again. Any app of the workspace may read it, so it holds ids and no words.
 * Shape: docs.slack.dev/messaging/message-metadata.
 */
export function markerMetadata(marker: Marker): JsonObject {
  return {
    event_type: MARKER_EVENT_TYPE,
    event_payload: {
      delivery_id: marker.deliveryId,
      part: marker.partIndex,
      rendering: marker.rendering,
      ...(marker.isNotice ? { notice: true } : {}),
    },
  }
}

/** The call that sends a part. A file has two calls before this one: an upload URL and the bytes. */
export function toRequest(target: Target, part: Part, marker: Marker): Request {
  const thread = target.anchor === null ? {} : { thread_ts: target.anchor }
  if (part.kind === 'file') {
    return {
      method: 'files.completeUploadExternal',
      payload: { channel_id: target.conversationId, ...thread, files: [{ title: part.title }] },
    }
  }
  return {
    method: 'chat.postMessage',
    payload: {
      unfurl_links: false,
      unfurl_media: false,
      ...part.content,
      channel: target.conversationId,
      ...thread,
      metadata: markerMetadata(marker),
    },
  }
}

/**
 * The name a file is uploaded under. A file message carries no metadata, so the name holds a short digest of the
 * marker: `answer.md` becomes `answer-1x2y3z4a5b.md`.
 */
export function markedFilename(filename: string, marker: Marker): string {
  const dot = filename.lastIndexOf('.')
  const stem = dot > 0 ? filename.slice(0, dot) : filename
  const extension = dot > 0 ? filename.slice(dot) : ''
  return `${stem}-${markerTag(marker)}${extension}`
}

/** Whether a file was uploaded for this marker. */
export function hasMarkerTag(filename: string, marker: Marker): boolean {
  return filename.replace(/\.[^.]*$/, '').endsWith(`-${markerTag(marker)}`)
}

/** FNV-1a, 64 bits, as 13 characters: not a secret, only unlikely to occur twice in one look-up. */
function markerTag(marker: Marker): string {
  let hash = 0xcbf29ce484222325n
  for (const byte of new TextEncoder().encode(
    `${marker.deliveryId}:${marker.partIndex}:${marker.rendering}`,
  )) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n)
  }
  return hash.toString(36).padStart(13, '0')
}
