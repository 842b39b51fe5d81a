import type { Block, Inline, ListItem, Table } from '../../render/nodes.js'
import type { PreviewPiece } from '../../render/preview.js'
import { Html, html, join, outsideLink } from './html.js'
import type { Texts } from './texts.js'

/** What a reader saw of one part. Every text of it is escaped; nothing is loaded from anywhere. */
export function previewHtml(pieces: readonly PreviewPiece[], texts: Texts): Html {
  return join(pieces.map((piece) => pieceHtml(piece, texts)))
}

function pieceHtml(piece: PreviewPiece, texts: Texts): Html {
  switch (piece.kind) {
    case 'document':
      return blocksHtml(piece.blocks)
    case 'title':
      return html`<p class="${piece.tone === 'plain' ? 'title' : `tone ${piece.tone}`}">${piece.text}</p>`
    case 'note':
      return html`<p class="note">${piece.text}</p>`
    case 'buttons':
      return html`<p>${piece.labels.map((label) => html`<span class="press">${label}</span>`)}</p>`
    case 'file':
      return html`<p class="file"><strong>${piece.title}</strong> <span class="soft">${piece.filename}</span></p>${blocksHtml(piece.blocks)}`
    case 'other':
      return html`<p class="note">${texts.story.other(piece.name)}</p>`
    default:
      throw new TypeError(`unhandled piece: ${JSON.stringify(piece satisfies never)}`)
  }
}

function blocksHtml(blocks: readonly Block[]): Html {
  return join(blocks.map(blockHtml))
}

function blockHtml(block: Block): Html {
  switch (block.type) {
    case 'paragraph':
      return html`<p>${inlinesHtml(block.children)}</p>`
    case 'heading':
      // Not a heading of our page: it would stand in the outline of the console.
      return html`<p class="heading">${inlinesHtml(block.children)}</p>`
    case 'blockquote':
      return html`<blockquote>${blocksHtml(block.children)}</blockquote>`
    case 'code':
      return html`<pre tabindex="0"><code>${block.value}</code></pre>`
    case 'list': {
      const items = block.children.map(itemHtml)
      return block.ordered ? html`<ol start="${block.start}">${items}</ol>` : html`<ul>${items}</ul>`
    }
    case 'table':
      return tableHtml(block)
    case 'thematicBreak':
      return html`<hr>`
    default:
      throw new TypeError(`unhandled block: ${JSON.stringify(block satisfies never)}`)
  }
}

function itemHtml(item: ListItem): Html {
  const box = item.checked === null ? null : item.checked ? '☑ ' : '☐ '
  return html`<li>${box}${blocksHtml(item.children)}</li>`
}

function tableHtml({ children: [head, ...body] }: Table): Html {
  const cells = (row: Table['children'][number] | undefined, name: 'th' | 'td') =>
    (row?.children ?? []).map((cell) => new Html(`<${name}>${inlinesHtml(cell.children).text}</${name}>`))
  const rows = body.map((row) => html`<tr>${cells(row, 'td')}</tr>`)
  return html`<div class="cells"><table><thead><tr>${cells(head, 'th')}</tr></thead><tbody>${rows}</tbody></table></div>`
}

function inlinesHtml(inlines: readonly Inline[]): Html {
  return join(inlines.map(inlineHtml))
}

function inlineHtml(inline: Inline): Html {
  switch (inline.type) {
    case 'text':
      return html`${inline.value}`
    case 'emphasis':
      return html`<em>${inlinesHtml(inline.children)}</em>`
    case 'strong':
      return html`<strong>${inlinesHtml(inline.children)}</strong>`
    case 'delete':
      return html`<del>${inlinesHtml(inline.children)}</del>`
    case 'inlineCode':
      return html`<code>${inline.value}</code>`
    case 'break':
      return html`<br>`
    case 'link':
      return outsideLink(inline.url, inlinesHtml(inline.children))
    case 'image':
      return outsideLink(inline.url, html`${inline.alt}`)
    case 'footnoteReference':
      return html`[${inline.label}]`
    case 'mention':
      return html`<span class="mention">${inline.name}</span>`
    default:
      throw new TypeError(`unhandled inline: ${JSON.stringify(inline satisfies never)}`)
  }
}
