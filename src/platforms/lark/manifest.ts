/** A permission or an event with the name each console shows. */
export interface LarkNeed {
  readonly id: string
  /** On open.larksuite.com. */
  readonly larkName: string
  /** On open.feishu.cn. */
  readonly feishuName: string
  readonly why: string
  readonly isRequired: boolean
}

/**
 * Exactly what our calls need. Source: the permission tables of im-v1/message/create, reply, list, patch, delete,
 * im-v1/chat/get and im-v1/file/create (open.feishu.cn, 2026-11).
 */
export const LARK_PERMISSIONS: readonly LarkNeed[] = [
  {
    id: 'im:message',
    larkName: 'Read and send messages in private and group chats',
    feishuName: '获取与发送单聊、群组消息',
    why: 'to answer, and to edit and recall its own answers',
    isRequired: true,
  },
  {
    id: 'im:chat:readonly',
    larkName: 'Obtain group information',
    feishuName: '获取群组信息',
    why: 'to know what kind of conversation a chat is',
    isRequired: true,
  },
  {
    id: 'im:message.group_msg',
    larkName: 'Obtain all messages in groups',
    feishuName: '获取群组中所有消息',
    why: 'to look for an answer that may have been posted more than an hour ago, before posting it again',
    isRequired: false,
  },
  {
    id: 'im:resource',
    larkName: 'Read and upload images or other files',
    feishuName: '获取与上传图片或文件资源',
    why: 'to attach an answer that is too long for messages',
    isRequired: false,
  },
  {
    id: 'im:message.reactions:write_only',
    larkName: 'Add or delete message reactions',
    feishuName: '发送、删除消息表情回复',
    why: 'to take back the reaction that said "working on it"',
    isRequired: false,
  },
]

/** Events that keep what we know correct (open.feishu.cn, event list). Store apps get `app_ticket` unasked. */
export const LARK_EVENTS: readonly LarkNeed[] = [
  {
    id: 'im.chat.member.bot.added_v1',
    larkName: 'Bot added to group',
    feishuName: '机器人进群',
    why: 'a group that could not be answered can be',
    isRequired: true,
  },
  {
    id: 'im.chat.member.bot.deleted_v1',
    larkName: 'Bot removed from group',
    feishuName: '机器人被移出群',
    why: 'a group can no longer be answered',
    isRequired: true,
  },
  {
    id: 'im.chat.disbanded_v1',
    larkName: 'Group disbanded',
    feishuName: '群解散',
    why: 'a group is gone',
    isRequired: false,
  },
  {
    id: 'im.chat.updated_v1',
    larkName: 'Group configuration updated',
    feishuName: '群配置修改',
    why: 'a group has another name or kind',
    isRequired: false,
  },
  {
    id: 'card.action.trigger',
    larkName: 'Card callback',
    feishuName: '卡片回传交互',
    why: 'somebody used a button of a card',
    isRequired: false,
  },
  {
    id: 'app_open',
    larkName: 'App first enabled',
    feishuName: '首次启用应用',
    why: 'store apps: a tenant can be answered',
    isRequired: false,
  },
  {
    id: 'app_status_change',
    larkName: 'App enabled or disabled',
    feishuName: '应用停启用',
    why: 'store apps: a tenant is parked, and comes back',
    isRequired: false,
  },
  {
    id: 'app_uninstalled',
    larkName: 'App uninstalled',
    feishuName: '应用卸载',
    why: 'store apps: a tenant is gone',
    isRequired: false,
  },
]
