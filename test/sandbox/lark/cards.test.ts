import { expect, test } from 'vitest'
import { checkCard } from '../../../src/sandbox/lark/card.js'
import { LarkRefusal } from '../../../src/sandbox/lark/refusal.js'

const md = (content: string, more: object = {}) => ({ tag: 'markdown', content, ...more })
const card = (...elements: unknown[]) => ({ schema: '2.0', body: { elements } })
const table = '| a |\n| - |\n| 1 |\n'.replaceAll('| a |', '| a | b |').replaceAll('| - |', '| - | - |')
const tables = (count: number) => Array.from({ length: count }, () => table).join('\n')
const component = { tag: 'table', page_size: 5, columns: [{ name: 'a' }], rows: [] }
const PERSON = 'ou_known'

function subCode(value: unknown): number {
  try {
    checkCard(value, (id) => id === PERSON)
    return 0
  } catch (error) {
    if (!(error instanceof LarkRefusal) || error.code !== 230099) throw error
    return Number(/ErrCode: (\d+)/.exec(error.detail ?? '')?.[1])
  }
}

const rows: readonly { readonly name: string; readonly card: unknown; readonly code: number }[] = [
  { name: 'a markdown element', card: card(md('**hi**')), code: 0 },
  { name: 'every part of a notice', card: notice(), code: 0 },
  { name: 'four tables in one element', card: card(md(tables(4))), code: 0 },
  { name: 'a table inside a fence is no table', card: card(md(`\`\`\`\n${tables(9)}\n\`\`\``)), code: 0 },
  { name: 'a known person mentioned', card: card(md(`<at id=${PERSON}></at> <at id=all></at>`)), code: 0 },
  { name: 'a mention inside code is none', card: card(md('`<at id=ou_nobody></at>`')), code: 0 },
  { name: 'no JSON', card: undefined, code: 200621 },
  { name: 'another schema', card: { ...card(), schema: '3.0' }, code: 200621 },
  { name: 'no body', card: { schema: '2.0' }, code: 200621 },
  { name: 'elements at the root', card: { ...card(), elements: [] }, code: 200861 },
  { name: 'update_multi off', card: { ...card(), config: { update_multi: false } }, code: 200621 },
  { name: 'global translations', card: { ...card(), i18n_elements: {} }, code: 200861 },
  { name: 'tag note of 1.0', card: card({ tag: 'note', elements: [] }), code: 200861 },
  { name: 'tag action of 1.0', card: card({ tag: 'action', actions: [] }), code: 200861 },
  { name: 'a property the element lacks', card: card(md('x', { colour: 'red' })), code: 200861 },
  { name: 'value beside behaviors', card: card({ tag: 'button', value: {} }), code: 200861 },
  { name: 'markdown without content', card: card({ tag: 'markdown' }), code: 200621 },
  { name: 'a language nobody knows', card: card(md('x', { i18n_content: { en: 'x' } })), code: 200621 },
  { name: 'an element id too long', card: card(md('x', { element_id: 'a'.repeat(21) })), code: 200621 },
  {
    name: 'an element id used twice',
    card: card(md('x', { element_id: 'a' }), md('y', { element_id: 'a' })),
    code: 200621,
  },
  { name: '201 components', card: card(...Array.from({ length: 201 }, () => md('x'))), code: 11310 },
  {
    name: '201 components, some inside columns',
    card: card(...Array.from({ length: 67 }, columns)),
    code: 11310,
  },
  { name: 'five tables in one element', card: card(md(tables(5))), code: 11310 },
  { name: 'six tables in all', card: card(md(tables(4)), md(tables(2))), code: 11310 },
  {
    name: 'five tables in one language only',
    card: card(md('x', { i18n_content: { zh_cn: tables(5) } })),
    code: 11310,
  },
  { name: 'six table components', card: card(...Array.from({ length: 6 }, () => component)), code: 11310 },
  {
    name: 'a table component inside a column',
    card: card({ tag: 'column_set', columns: [{ tag: 'column', elements: [component] }] }),
    code: 200914,
  },
  { name: 'a page of 11 rows', card: card({ ...component, page_size: 11 }), code: 200914 },
  {
    name: '51 columns',
    card: card({ ...component, columns: Array.from({ length: 51 }, (_, i) => ({ name: `c${i}` })) }),
    code: 200915,
  },
  { name: 'an unknown person mentioned', card: card(md('<at id=ou_nobody></at>')), code: 100290 },
  { name: 'an image by address', card: card(md('![a](https://example.com/a.png)')), code: 200570 },
  { name: 'a template', card: { type: 'template', data: {} }, code: 200380 },
  { name: 'header without a title', card: { ...card(), header: { template: 'red' } }, code: 200621 },
  {
    name: 'header of an unknown colour',
    card: { ...card(), header: { title: { tag: 'plain_text', content: 'x' }, template: 'pink' } },
    code: 200621,
  },
]

function columns() {
  return { tag: 'column_set', columns: [{ tag: 'column', elements: [md('x')] }] }
}

function notice() {
  const text = { content: 'Run finished', i18n_content: { zh_cn: '运行完成', en_us: 'Run finished' } }
  return {
    schema: '2.0',
    config: { update_multi: true, summary: text },
    header: { title: { tag: 'plain_text', ...text }, template: 'green' },
    body: { elements: [md('body', { element_id: 'body' }), { tag: 'hr' }, md('left out', text)] },
  }
}

for (const { name, card: value, code } of rows) {
  test(`card: ${name} gives ${code}`, () => expect(subCode(value)).toBe(code))
}
