import type { Block, Inline, Root } from '../../src/render/nodes.js'

/** Every word of a document in order, read off the tree. */
export function wordsOf(root: Root): string[] {
  return textOf(root.children).match(/[\p{L}\p{N}]+/gu) ?? []
}

/** Every character of a document's text in order, blocks separated by a line end. */
export function textOf(blocks: readonly Block[]): string {
  return blocks
    .map(blockText)
    .join('\n')
    .replaceAll(/[\u2060\u200b]/g, '')
}

function blockText(block: Block): string {
  switch (block.type) {
    case 'paragraph':
    case 'heading':
      return inlineText(block.children)
    case 'code':
      return block.value
    case 'blockquote':
      return textOf(block.children)
    case 'list':
      return block.children.map((item) => textOf(item.children)).join('\n')
    case 'table':
      return block.children.flatMap((row) => row.children.map((cell) => inlineText(cell.children))).join('\n')
    case 'thematicBreak':
      return ''
    default:
      return block satisfies never
  }
}

function inlineText(inlines: readonly Inline[]): string {
  return inlines
    .map((inline) => {
      if ('children' in inline) return inlineText(inline.children)
      if ('value' in inline) return inline.value
      if (inline.type === 'image') return inline.alt
      if (inline.type === 'mention') return inline.name
      return inline.type === 'footnoteReference' ? inline.label : '\n'
    })
    .join('')
}
