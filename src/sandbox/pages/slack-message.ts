import { type Fields, fields, list, string } from './fields.js'
import { Html, html, join, link } from './html.js'
import { markdown } from './markdown.js'
import { mrkdwn, type Names } from './mrkdwn.js'
import { richText } from './rich-text.js'

/** What a Slack client would roughly show of a message: its blocks, else its text, and its files. */
export function slackMessage(message: Fields, names: Names): Html {
  const blocks = list(message.blocks)
  const attachments = list(message.attachments).flatMap((attachment) => list(attachment.blocks))
  const body =
    blocks.length > 0
      ? join(blocks.map((block) => slackBlock(block, names)))
      : html`<p class="text" dir="auto">${mrkdwn(string(message.text), names)}</p>`
  return html`${body}${attachments.map((block) => slackBlock(block, names))}${list(message.files).map(slackFile)}`
}

export function slackBlock(block: Fields, names: Names): Html {
  switch (block.type) {
    case 'markdown':
      return markdown(string(block.text))
    case 'rich_text':
      return join(list(block.elements).map((element) => richText(element, names)))
    case 'header':
      return html`<h3>${string(fields(block.text).text)}</h3>`
    case 'divider':
      return html`<hr>`
    case 'section':
      return section(block, names)
    case 'context':
      return html`<p class="context" dir="auto">${join(
        list(block.elements).map((part) => slackText(part, names)),
        ' · ',
      )}</p>`
    case 'actions':
      return html`<p class="actions">${list(block.elements).map(button)}</p>`
    case 'context_actions':
      return html`<p class="actions">${list(block.elements).map(feedback)}</p>`
    case 'table':
      return slackTable(block, names)
    case 'image':
      return html`<p class="context">[image] ${string(block.alt_text)}</p>`
    default:
      return html`<p class="unknown">[${string(block.type)}]</p>`
  }
}

function section(block: Fields, names: Names): Html {
  const text =
    block.text === undefined
      ? null
      : html`<p class="text" dir="auto">${slackText(fields(block.text), names)}</p>`
  const cells = list(block.fields).map((field) => html`<div>${slackText(field, names)}</div>`)
  const grid = cells.length === 0 ? null : html`<div class="fields">${cells}</div>`
  const accessory = fields(block.accessory)
  return html`${text}${grid}${accessory.type === 'button' ? html`<p class="actions">${button(accessory)}</p>` : null}`
}

function slackText(text: Fields, names: Names): Html {
  return text.type === 'mrkdwn' ? mrkdwn(string(text.text), names) : html`${string(text.text)}`
}

function button(element: Fields): Html {
  const style = element.style === 'primary' || element.style === 'danger' ? element.style : 'plain'
  const label = string(fields(element.text).text) || string(element.type)
  const url = string(element.url)
  const face = html`<span class="button ${style}">${label}</span>`
  return url === '' ? face : link(url, face)
}

function feedback(element: Fields): Html {
  const both = [element.positive_button, element.negative_button].map((half) =>
    string(fields(fields(half).text).text),
  )
  const label = both.filter((text) => text !== '').join(' / ') || string(element.type)
  return html`<span class="button plain">${label}</span>`
}

function slackTable(block: Fields, names: Names): Html {
  const rows = Array.isArray(block.rows) ? block.rows : []
  const cells = (row: unknown, name: 'th' | 'td') =>
    list(row).map((cell) => new Html(`<${name}>${cellText(cell, names).text}</${name}>`))
  const [head, ...rest] = rows
  return html`<div class="table"><table><thead><tr>${cells(head, 'th')}</tr></thead><tbody>${rest.map(
    (row) => html`<tr>${cells(row, 'td')}</tr>`,
  )}</tbody></table></div>`
}

function cellText(cell: Fields, names: Names): Html {
  if (cell.type === 'rich_text') return join(list(cell.elements).map((element) => richText(element, names)))
  return html`${string(cell.text)}`
}

function slackFile(file: Fields): Html {
  const name = string(file.title) || string(file.name)
  return html`<p class="file">📄 <strong>${name}</strong> <span>${string(file.name)}, ${string(file.size)} bytes</span></p>`
}
