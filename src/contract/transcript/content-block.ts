import type { ContentBlock } from '../content.js'

/** Block types that ask for a tool, in the words of the sources we read. */
const TOOL_USES: ReadonlySet<string> = new Set(['tool-call', 'tool_use', 'tool_call', 'server_tool_use'])

/** How many blocks ask for a tool. */
export function countToolUses(blocks: readonly ContentBlock[]): number {
  return blocks.filter((block) => TOOL_USES.has(block.type)).length
}

/** A text block. */
export function textBlock(text: string): ContentBlock {
  return { type: 'text', text }
}
