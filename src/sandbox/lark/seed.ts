/** An app as its developer created it. Store apps serve many tenants and need an app ticket. */
export interface LarkAppSeed {
  readonly appId: string
  readonly appSecret: string
  readonly name: string
  readonly kind?: 'internal' | 'store'
  /** The tenant an internal app belongs to; the first tenant when left out. */
  readonly tenant?: string
  /** The bot's own open id. */
  readonly botOpenId?: string
  /** Scopes granted; every scope when left out. */
  readonly scopes?: readonly string[]
}

export interface LarkTenantSeed {
  readonly key: string
  readonly name: string
  /** Store apps installed here. Internal apps belong to their tenant anyway. */
  readonly apps?: readonly string[]
  /** Calls left in this month's plan; unlimited when left out. */
  readonly monthlyCalls?: number
}

export interface LarkUserSeed {
  readonly openId: string
  readonly name: string
  readonly tenant?: string
  readonly userId?: string
  readonly unionId?: string
  readonly email?: string
  /** False: outside the app's availability range. */
  readonly available?: boolean
  readonly resigned?: boolean
  /** The user told the bot to stop. */
  readonly stoppedBot?: boolean
}

export interface LarkChatSeed {
  readonly id: string
  readonly name: string
  readonly mode: 'group' | 'topic' | 'p2p'
  readonly tenant?: string
  readonly type?: 'private' | 'public'
  /** `thread`: a group whose messages are all topics although its mode is `group`. */
  readonly messageForm?: 'chat' | 'thread'
  readonly members?: readonly string[]
  /** Apps whose bot is in the chat; every app of the tenant when left out. */
  readonly bots?: readonly string[]
  readonly external?: boolean
  /** Message types this chat does not take, e.g. cards in connected groups. */
  readonly refusesTypes?: readonly string[]
  /** False: messages here cannot be answered as a topic. */
  readonly threadReplies?: boolean
}

/** A message somebody wrote before the bot came: what a run answers. */
export interface LarkMessageSeed {
  readonly id: string
  readonly chat: string
  readonly from: string
  readonly text: string
  /** Groups the message into a topic. */
  readonly thread?: string
  readonly root?: string
}

export interface LarkSeed {
  readonly apps: readonly LarkAppSeed[]
  readonly tenants: readonly LarkTenantSeed[]
  readonly chats?: readonly LarkChatSeed[]
  readonly users?: readonly LarkUserSeed[]
  readonly messages?: readonly LarkMessageSeed[]
}
