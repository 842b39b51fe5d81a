import type { LarkSeed } from '../../../src/sandbox/lark/index.js'

function hex(prefix: string, digit: string): string {
  return `${prefix}${digit.repeat(32)}`
}

/** Ids of the fake's organisation. */
export const LARK = {
  appId: 'cli_a1b2c3d4e5f60001',
  appSecret: 'internal-secret-of-the-fake-0001',
  storeAppId: 'cli_a1b2c3d4e5f60002',
  storeAppSecret: 'store-secret-of-the-fake-0002',
  botOpenId: hex('ou_', 'b'),
  tenant: '2ed263bf32cf1651',
  otherTenant: '7fe263bf32cf9999',
  group: hex('oc_', '1'),
  direct: hex('oc_', '2'),
  topicGroup: hex('oc_', '3'),
  /** The bot is not a member. */
  foreignGroup: hex('oc_', '4'),
  /** A group of the other tenant, where only the store app is installed. */
  otherTenantGroup: hex('oc_', '5'),
  user: hex('ou_', '1'),
  /** A person without a chat with the bot yet. */
  newUser: hex('ou_', '2'),
  unavailableUser: hex('ou_', '3'),
  resignedUser: hex('ou_', '4'),
  otherTenantUser: hex('ou_', '5'),
  question: hex('om_', '1'),
  directQuestion: hex('om_', '2'),
  topicQuestion: hex('om_', '3'),
  topic: hex('omt_', '3'),
} as const

/** Two tenants, an internal app in the first, a store app in both, a group, a direct chat and a topic group. */
export const SEED: LarkSeed = {
  apps: [
    {
      appId: LARK.appId,
      appSecret: LARK.appSecret,
      name: 'Agents',
      tenant: LARK.tenant,
      botOpenId: LARK.botOpenId,
    },
    { appId: LARK.storeAppId, appSecret: LARK.storeAppSecret, name: 'Agents (store)', kind: 'store' },
  ],
  tenants: [
    { key: LARK.tenant, name: 'Example', apps: [LARK.storeAppId] },
    { key: LARK.otherTenant, name: 'Other', apps: [LARK.storeAppId] },
  ],
  users: [
    { openId: LARK.user, name: '李雷', email: 'lilei@example.com' },
    { openId: LARK.newUser, name: 'Mei' },
    { openId: LARK.unavailableUser, name: 'Out of range', available: false },
    { openId: LARK.resignedUser, name: 'Gone', resigned: true },
    { openId: LARK.otherTenantUser, name: 'Stranger', tenant: LARK.otherTenant },
  ],
  chats: [
    { id: LARK.group, name: 'Operations', mode: 'group', members: [LARK.user, LARK.newUser] },
    { id: LARK.direct, name: '', mode: 'p2p', members: [LARK.user], bots: [LARK.appId] },
    { id: LARK.topicGroup, name: 'Questions', mode: 'topic', members: [LARK.user] },
    { id: LARK.foreignGroup, name: 'Board', mode: 'group', members: [LARK.user], bots: [] },
    { id: LARK.otherTenantGroup, name: 'Elsewhere', mode: 'group', tenant: LARK.otherTenant },
  ],
  messages: [
    { id: LARK.question, chat: LARK.group, from: LARK.user, text: 'What broke the build?' },
    { id: LARK.directQuestion, chat: LARK.direct, from: LARK.user, text: '昨天的构建为什么失败？' },
    {
      id: LARK.topicQuestion,
      chat: LARK.topicGroup,
      from: LARK.user,
      text: 'Which tests are slow?',
      thread: LARK.topic,
    },
  ],
}
