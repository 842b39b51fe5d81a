import { checkComponent } from './card-component.js'
import { type CardCheck, checkTaggedText, checkText, onlyKeys } from './card-text.js'
import { isObject } from './json.js'
import { cardRefusal } from './refusal.js'

/** Platform notes 4.5: components of one 2.0 card, tables of one card and of one markdown element. */
const MAX_COMPONENTS = 200
const MAX_TABLES = 5

const CARD_KEYS = new Set(['schema', 'config', 'card_link', 'header', 'body'])
const CONFIG_KEYS = new Set([
  'streaming_mode',
  'streaming_config',
  'summary',
  'locales',
  'enable_forward',
  'update_multi',
  'width_mode',
  'use_custom_translation',
  'enable_forward_interaction',
  'style',
])
const HEADER_KEYS = new Set([
  'title',
  'subtitle',
  'text_tag_list',
  'i18n_text_tag_list',
  'template',
  'icon',
  'padding',
])
const TEMPLATES = new Set(
  'blue wathet turquoise green yellow orange red carmine violet purple indigo grey default'.split(' '),
)
const BODY_KEYS = new Set([
  'direction',
  'padding',
  'horizontal_spacing',
  'horizontal_align',
  'vertical_spacing',
  'vertical_align',
  'elements',
])
/**
 * Checks a card as the card service does. Cards without `schema` are the old form and only looked at roughly.
 *
 * @throws {LarkRefusal} 230099 with the service's number: 200621 bad JSON or field, 200861 unknown tag or property,
 * 11310 too many components or tables, 100290 bad mention, 200570 bad image key, 200914 bad table
 */
export function checkCard(card: unknown, isUser: (openId: string) => boolean): void {
  if (!isObject(card))
    throw cardRefusal(200621, 'parse card json err, please check whether the card json is correct')
  if (card.type === 'template') throw cardRefusal(200380, 'template does not exist')
  if (card.type === 'card') throw cardRefusal(200740, 'card entity does not exist')
  if (card.schema === undefined) {
    if (!Array.isArray(card.elements)) throw cardRefusal(200621, 'elements is required')
    return
  }
  if (card.schema !== '2.0') throw cardRefusal(200621, 'unknown schema')
  onlyKeys(card, CARD_KEYS, 'ROOT')
  checkConfig(card.config)
  checkHeader(card.header)
  const { body } = card
  if (!isObject(body) || !Array.isArray(body.elements)) throw cardRefusal(200621, 'body.elements is required')
  onlyKeys(body, BODY_KEYS, 'ROOT -> body')
  const check: CardCheck = { components: 0, tables: 0, elementIds: new Set(), isUser }
  for (const element of body.elements) checkComponent(element, check, { isRoot: true, path: 'ROOT -> body' })
  if (check.components > MAX_COMPONENTS) throw cardRefusal(11310, 'card element count over limit')
  if (check.tables > MAX_TABLES) throw cardRefusal(11310, 'card table number over limit')
}

function checkConfig(config: unknown): void {
  if (config === undefined) return
  if (!isObject(config)) throw cardRefusal(200621, 'config is not an object')
  onlyKeys(config, CONFIG_KEYS, 'ROOT -> config')
  if (config.update_multi === false) throw cardRefusal(200621, 'update_multi must be true')
  if (config.summary !== undefined) checkText(config.summary, 'ROOT -> config -> summary')
}

function checkHeader(header: unknown): void {
  if (header === undefined) return
  if (!isObject(header)) throw cardRefusal(200621, 'header is not an object')
  onlyKeys(header, HEADER_KEYS, 'ROOT -> header')
  if (!isObject(header.title)) throw cardRefusal(200621, 'header.title is required')
  for (const field of ['title', 'subtitle'] as const) {
    if (header[field] !== undefined) checkTaggedText(header[field], `ROOT -> header -> ${field}`)
  }
  if (header.template !== undefined && !TEMPLATES.has(String(header.template))) {
    throw cardRefusal(200621, 'unknown header template')
  }
}
