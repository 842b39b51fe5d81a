import type { Message, RenderContext } from './message.js'
import type { Plan } from './part.js'

/** Every ASCII punctuation character may be escaped in Markdown (CommonMark 0.31, 2.4). */
const PUNCTUATION = /[!-/:-@[-`{-~]/g

/** Markdown that shows `text` character by character, and reads nothing of it as markup. */
export function literally(text: string): string {
  return text.trim().replaceAll(PUNCTUATION, '\\$&')
}

/** Renders a message. Words that are nothing but markup (`-`, `***`) would vanish: they are shown as they are written. */
export function renderWords(
  platform: { render(message: Message, context: RenderContext): Plan },
  message: Message,
  context: RenderContext,
): Plan {
  const plan = platform.render(message, context)
  if (plan.parts.length > 0 || message.body === null) return plan
  return platform.render({ ...message, body: literally(message.body) }, context)
}
