import { randomUUID } from 'node:crypto'
import type { FindWindow, InstallationRef, Marker, Platform, Target } from '../../deliver/platform.js'
import type { Language, Words } from '../../locales.js'
import type { Part } from '../../render/part.js'
import { type Check, faultText, note, ok, problem } from './check.js'

export interface ConversationOptions {
  readonly platform: Platform
  readonly installation: InstallationRef
  readonly workspace: string
  readonly conversationId: string
  readonly words: Words
  readonly language: Language
  readonly nowMs: () => number
}

/**
 * Posts a test message to a conversation and takes it away again: membership, sending, finding it again, sending the
 * same once more, and a file.
 */
export async function checkConversation(options: ConversationOptions): Promise<readonly Check[]> {
  const { platform, installation, workspace, conversationId } = options
  const name = `${installation.id} ${conversationId}`
  const facts = await platform.describe(installation, workspace, conversationId)
  if (facts.kind !== 'facts') {
    return [problem(`${name} conversation`, faultText(facts), 'is the id right, and is the app in it?')]
  }
  if (facts.isMember === false) {
    return [problem(`${name} membership`, 'the app is not in it', inviteHint(platform))]
  }
  const target: Target = {
    installation,
    workspace,
    conversationId,
    anchor: null,
    inTopic: false,
    surface: facts.surface,
  }
  return [
    ok(`${name} membership`, `${facts.surface}${facts.isArchived ? ', archived' : ''}`),
    ...(await checkMessage(options, target, name)),
    await checkFile(options, target, name),
  ]
}

async function checkMessage(
  { platform, words, language, nowMs }: ConversationOptions,
  target: Target,
  name: string,
): Promise<readonly Check[]> {
  const body = words.say(language, 'doctor.test', { app: 'Lastword' })
  const { parts } = platform.render(
    { kind: 'answer', header: null, diagnostic: null, body, buttons: [] },
    { words, language, installationLanguage: language, mentions: [], secrets: [], maxParts: 1, files: false },
  )
  const [part] = parts
  if (part === undefined) throw new TypeError('a test message renders to one part')
  const marker: Marker = { deliveryId: `doctor_${randomUUID()}`, partIndex: 0, rendering: 0, isNotice: false }
  const atMs = nowMs()
  const sent = await platform.send(target, part, marker)
  if (sent.kind !== 'sent') {
    return [problem(`${name} message`, faultText(sent), inviteHint(platform))]
  }
  const window: FindWindow = { firstAttemptAtMs: atMs, lastAttemptAtMs: nowMs(), nowMs: nowMs() }
  const checks = [
    ok(`${name} message`, sent.messageId),
    await checkFound(platform, target, marker, window, sent.messageId, name),
    ...(platform.sameKeyWindowMs > 0
      ? [await checkSameKey(platform, target, part, marker, sent.messageId, name)]
      : []),
  ]
  const removed = await platform.remove(target, sent.messageId)
  return removed.kind === 'edited' ? checks : [...checks, note(`${name} clean-up`, 'the test message stays')]
}

async function checkFound(
  platform: Platform,
  target: Target,
  marker: Marker,
  window: FindWindow,
  messageId: string,
  name: string,
): Promise<Check> {
  const found = await platform.find(target, marker, window)
  if (found.kind === 'sent' && found.messageId === messageId)
    return ok(`${name} read-back`, 'found by its mark')
  const detail = found.kind === 'sent' || found.kind === 'absent' ? 'not found' : faultText(found)
  return problem(
    `${name} read-back`,
    `${detail}: after a lost answer it cannot be known whether a message was posted`,
    platform.name === 'slack'
      ? 'add the *:history scopes under OAuth & Permissions, then reinstall the app'
      : 'add im:message.group_msg under Permissions & Scopes, then publish a version',
  )
}

/** The platform promises that the same key posts once. */
async function checkSameKey(
  platform: Platform,
  target: Target,
  part: Part,
  marker: Marker,
  messageId: string,
  name: string,
): Promise<Check> {
  const again = await platform.send(target, part, marker)
  if (again.kind === 'sent' && again.messageId === messageId) return ok(`${name} same key`, 'posted once')
  if (again.kind !== 'sent') return note(`${name} same key`, faultText(again))
  await platform.remove(target, again.messageId)
  return problem(
    `${name} same key`,
    'the same key posted twice',
    'set LASTWORD_UNKNOWN_POLICY=hold: lost answers cannot be repeated safely here',
  )
}

async function checkFile({ platform }: ConversationOptions, target: Target, name: string): Promise<Check> {
  const part: Part = {
    kind: 'file',
    rung: 'file',
    filename: 'lastword-test.md',
    title: 'lastword-test.md',
    markdown: 'Lastword test file.\n',
  }
  const marker: Marker = { deliveryId: `doctor_${randomUUID()}`, partIndex: 0, rendering: 0, isNotice: false }
  const sent = await platform.send(target, part, marker)
  if (sent.kind === 'sent') {
    await platform.remove(target, sent.messageId)
    return ok(`${name} file`, 'uploaded and removed')
  }
  return note(
    `${name} file`,
    `${faultText(sent)}: long answers come as several messages instead`,
    platform.name === 'slack'
      ? 'add files:write and files:read under OAuth & Permissions, then reinstall the app'
      : 'add im:resource under Permissions & Scopes, then publish a version',
  )
}

function inviteHint({ name }: Platform): string {
  return name === 'slack'
    ? 'in the channel: type /invite @ and the name of the app'
    : 'in the group: Settings > Bots > Add bot'
}
