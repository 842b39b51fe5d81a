import type { ButtonKind, PlatformName, Run, Surface } from '../contract/run.js'

/** What a person may press: feedback is two of them. */
export const BUTTON_NAMES = ['continue', 'retry', 'good', 'bad'] as const
export type ButtonName = (typeof BUTTON_NAMES)[number]

export function isButtonName(text: string): text is ButtonName {
  return BUTTON_NAMES.some((name) => name === text)
}

/** One press, verified to come from the platform. */
export interface Press {
  readonly platform: PlatformName
  readonly deliveryId: string
  readonly button: ButtonName
  readonly person: string
  /** Where the button stands; null where the platform did not say. */
  readonly conversationId: string | null
  readonly messageId: string | null
}

/** What the ledger knows of the delivery a button belongs to. */
export interface PressedDelivery {
  readonly run: Run
  readonly installationId: string
  readonly producer: string | null
  readonly conversationKey: string
  readonly conversationId: string | null
  readonly surface: Surface | null
  readonly locale: string | null
  readonly messageIds: readonly string[]
  /** A call for it has no known end: a message of it may stand that we have no id of. */
  readonly mayStand: boolean
  /** A later attempt of the same run is here, and may have replaced what is shown. */
  readonly isReplaced: boolean
}

export type PressVerdict = 'accepted' | 'expired' | 'not_yours'

/**
 * Whether a press counts. A platform's signature says that the press is real and not that the button is ours, so it
 * must stand where the delivery does, on a message of it, and be one that the run asked for.
 */
export function judgePress(press: Press, delivery: PressedDelivery | null): PressVerdict {
  if (delivery === null || delivery.run.conversation.platform !== press.platform) return 'expired'
  const isElsewhere =
    press.conversationId !== null &&
    delivery.conversationId !== null &&
    press.conversationId !== delivery.conversationId
  const isOnOurs =
    press.messageId === null || delivery.messageIds.includes(press.messageId) || delivery.mayStand
  if (isElsewhere || !isOnOurs || !delivery.run.buttons.includes(kindOf(press.button))) return 'expired'
  if (isAboutTheMessage(press.button)) return 'accepted'
  if (delivery.isReplaced) return 'expired'
  const requester = requesterOn(press.platform, delivery.run)
  return requester === null || requester === press.person ? 'accepted' : 'not_yours'
}

/** Feedback is everybody's; what starts work again is the asking person's, and happens once. */
export function isAboutTheMessage(button: ButtonName): boolean {
  return button === 'good' || button === 'bad'
}

/** Whose press it is when the same one comes again: everybody's once, or once a person. */
export function pressedFor(press: Pick<Press, 'button' | 'person'>): string {
  return isAboutTheMessage(press.button) ? press.person : ''
}

/** Whether the message tells of the press. In a channel feedback stays open to the others. */
export function isShown(button: ButtonName, surface: Surface | null): boolean {
  return !isAboutTheMessage(button) || surface === 'direct'
}

function kindOf(button: ButtonName): ButtonKind {
  return isAboutTheMessage(button) ? 'feedback' : button === 'retry' ? 'retry' : 'continue'
}

/** The asking person, when the run names them by an id of this platform. */
function requesterOn(platform: PlatformName, run: Run): string | null {
  const { requester } = run.trigger
  if (requester === null) return null
  const isOurs = platform === 'slack' ? /^[UW][A-Z0-9]+$/.test(requester) : requester.startsWith('ou_')
  return isOurs ? requester : null
}

/** What producers are told. `person` is the platform's id of who pressed. */
export function pressReceipt(
  press: Press,
  delivery: PressedDelivery,
  pressedAtMs: number,
): Readonly<Record<string, unknown>> {
  return {
    deliveryId: press.deliveryId,
    runId: delivery.run.runId,
    attempt: delivery.run.attempt,
    producer: delivery.producer,
    platform: press.platform,
    installationId: delivery.installationId,
    conversation: delivery.conversationKey,
    conversationId: delivery.conversationId,
    button: press.button,
    person: press.person,
    pressedAt: new Date(pressedAtMs).toISOString(),
  }
}
