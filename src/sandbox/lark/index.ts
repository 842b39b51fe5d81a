export type { LarkAnswer, LarkCall } from './call.js'
export type { LarkControls } from './controls.js'
export type { Chat, Message } from './records.js'
export type {
  LarkAppSeed,
  LarkChatSeed,
  LarkMessageSeed,
  LarkSeed,
  LarkTenantSeed,
  LarkUserSeed,
} from './seed.js'
export {
  createLarkServer,
  type Exchange,
  type Interceptor,
  type LarkServer,
  type LarkServerOptions,
} from './server.js'
