import { createLarkServer, type LarkServer } from './lark/index.js'

const APP = { appId: 'cli_sandbox00000001', appSecret: 'sandbox', botOpenId: `ou_${'b'.repeat(32)}` } as const
const TENANT = 'sandbox_tenant_1'
const PERSON = `ou_${'a'.repeat(32)}`

const GROUP = `oc_${'a'.repeat(32)}`
const DIRECT = `oc_${'d'.repeat(32)}`
const TOPICS = `oc_${'c'.repeat(32)}`
const TOPIC = `omt_${'c'.repeat(32)}`

/** Messages the samples answer, one in each chat. */
export interface LarkAnchors {
  readonly group: string
  readonly direct: string
  readonly topic: string
}

export interface LarkSandbox {
  readonly baseUrl: string
  readonly appId: string
  readonly appSecret: string
  readonly tenant: string
  readonly userId: string
  readonly groupChat: string
  readonly directChat: string
  readonly topicChat: string
  /** The topic in `topicChat`. */
  readonly topic: string
  readonly anchors: LarkAnchors
  readonly server: LarkServer
}

/** Starts a Lark tenant on loopback with a group, a direct chat and a topic group. Ids are always the same. */
export async function startLark(port?: number): Promise<LarkSandbox> {
  const anchors: LarkAnchors = {
    group: `om_${'a'.repeat(32)}`,
    direct: `om_${'d'.repeat(32)}`,
    topic: `om_${'c'.repeat(32)}`,
  }
  const server = await createLarkServer({
    port: port ?? 0,
    apps: [{ ...APP, name: 'Agent', tenant: TENANT }],
    tenants: [{ key: TENANT, name: 'Sandbox' }],
    users: [{ openId: PERSON, name: '林梅' }],
    chats: [
      { id: GROUP, name: '构建与发布', mode: 'group', members: [PERSON] },
      { id: DIRECT, name: '', mode: 'p2p', members: [PERSON] },
      { id: TOPICS, name: '值班问答', mode: 'topic', members: [PERSON] },
    ],
    messages: [
      { id: anchors.group, chat: GROUP, from: PERSON, text: '@Agent 昨晚的构建为什么失败？' },
      { id: anchors.direct, chat: DIRECT, from: PERSON, text: '有空的时候看一下失败的构建。' },
      { id: anchors.topic, chat: TOPICS, from: PERSON, text: '哪些测试最慢？', thread: TOPIC },
    ],
  })
  return {
    baseUrl: server.url,
    appId: APP.appId,
    appSecret: APP.appSecret,
    tenant: TENANT,
    userId: PERSON,
    groupChat: GROUP,
    directChat: DIRECT,
    topicChat: TOPICS,
    topic: TOPIC,
    anchors,
    server,
  }
}
