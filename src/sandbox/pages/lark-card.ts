import { type Fields, fields, list, string } from './fields.js'
import { type Html, html } from './html.js'
import { type LarkReader, larkTag } from './lark-reader.js'
import { markdown } from './markdown.js'

const COLOURS = new Set(
  'blue wathet turquoise green yellow orange red carmine violet purple indigo grey'.split(' '),
)

/** A 2.0 card in the reader's language, as the client picks it: theirs, else English, else the default. */
export function larkCard(card: Fields, reader: LarkReader): Html {
  const header = fields(card.header)
  const colour = COLOURS.has(string(header.template)) ? string(header.template) : 'plain'
  const title = inLanguage(fields(header.title), reader)
  const subtitle = inLanguage(fields(header.subtitle), reader)
  const head =
    title === ''
      ? null
      : html`<header class="${colour}"><strong>${title}</strong>${subtitle === '' ? null : html` <span>${subtitle}</span>`}</header>`
  const elements = list(fields(card.body).elements ?? card.elements)
  return html`<div class="card">${head}<div class="inner">${elements.map((element) => larkComponent(element, reader))}</div></div>`
}

/** The words of a text object or markdown element for this reader. */
export function inLanguage(text: Fields, reader: LarkReader): string {
  const translations = fields(text.i18n_content)
  return string(translations[reader.language]) || string(translations.en_us) || string(text.content)
}

export function larkComponent(element: Fields, reader: LarkReader): Html {
  switch (element.tag) {
    case 'markdown': {
      const notation = element.text_size === 'notation' ? 'context' : 'md'
      return html`<div class="${notation}">${markdown(inLanguage(element, reader), (tag) => larkTag(tag, reader))}</div>`
    }
    case 'div':
      return html`<p class="text" dir="auto">${inLanguage(fields(element.text), reader)}</p>`
    case 'hr':
      return html`<hr>`
    case 'button': {
      const type = string(element.type)
      const style = type.includes('primary') ? 'primary' : type.includes('danger') ? 'danger' : 'plain'
      return html`<span class="button ${style}">${inLanguage(fields(element.text), reader)}</span>`
    }
    case 'table':
      return cardTable(element, reader)
    case 'column_set':
      return html`<div class="columns">${list(element.columns).map((column) => inside(column, reader))}</div>`
    case 'collapsible_panel':
      return html`<details open><summary>${inLanguage(fields(fields(element.header).title), reader)}</summary>${inside(element, reader)}</details>`
    case 'form':
    case 'interactive_container':
      return inside(element, reader)
    default:
      return html`<p class="unknown">[${string(element.tag)}]</p>`
  }
}

function inside(element: Fields, reader: LarkReader): Html {
  return html`<div>${list(element.elements).map((child) => larkComponent(child, reader))}</div>`
}

function cardTable(element: Fields, reader: LarkReader): Html {
  const columns = list(element.columns)
  const head = columns.map((column) => html`<th>${string(column.display_name) || string(column.name)}</th>`)
  const rows = list(element.rows).map((row) => {
    const cells = columns.map((column) => {
      const text = string(row[string(column.name)])
      const isMarkdown = column.data_type === 'markdown' || column.data_type === 'lark_md'
      return html`<td>${isMarkdown ? markdown(text, (tag) => larkTag(tag, reader)) : html`${text}`}</td>`
    })
    return html`<tr>${cells}</tr>`
  })
  return html`<div class="table"><table><thead><tr>${head}</tr></thead><tbody>${rows}</tbody></table></div>`
}
