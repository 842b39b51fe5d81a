import { expect } from 'vitest'
import { LARK_LIMITS } from '../../../src/platforms/lark/limits.js'
import type { Part } from '../../../src/render/part.js'
import { checkCard } from '../../../src/sandbox/lark/card.js'
import { markdownTables } from '../../../src/sandbox/lark/card-component.js'
import { fencesBalance, PING } from './render-checks.js'
import { cardMarkdown, sizeOf, wireOf } from './render-support.js'

/** What every card must hold, whatever is in it. */
export function expectGoodCards(parts: readonly Part[]): void {
  for (const part of parts) {
    if (part.kind === 'file') continue
    const wire = wireOf(part)
    expect(wire.msg_type).toBe('interactive')
    checkCard(JSON.parse(wire.content), (openId) => openId === 'ou_allowed1')
    expect(sizeOf(part)).toBeLessThanOrEqual(LARK_LIMITS.cardBytes.budget)
    expect(wire.content).not.toMatch(/\p{Surrogate}/u)
    const markdown = cardMarkdown(part)
    expect(markdownTables(markdown)).toBeLessThanOrEqual(LARK_LIMITS.tablesPerCard.budget)
    expect(wire.content.replaceAll('<at id=ou_allowed1></at>', '')).not.toMatch(PING)
    expect(fencesBalance(markdown)).toBe(true)
  }
}
