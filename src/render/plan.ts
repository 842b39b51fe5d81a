import { type Amounts, type Cost, exceeds, minus, plus } from './amounts.js'
import { type Cutter, explode } from './explode.js'
import type { Block, Root } from './nodes.js'
import { joinPieces, type Piece, sharedLevels, shellOf, wholeBlock, withoutContinuedItem } from './pieces.js'
import { hasVisibleWords, plainInline } from './plain.js'
import { finished, splitTail } from './tail.js'

/** A platform's way to plan. */
export interface PlanOptions {
  /**
   * What a block adds to a part. Additive (a part costs the sum of its blocks, a list the sum of its items and its
   * own frame), so that everything is measured once; and an upper bound of what the rendered part takes.
   */
  readonly measure: (block: Block) => Cost
  /** What one part may hold. A field absent here is unlimited. */
  readonly budget: Cost
  /** What the first part may hold, when a header of ours stands in it. */
  readonly firstBudget?: Cost
  /** Text or a line of code of this many characters surely fits a part that holds a heading besides. */
  readonly maxLeafChars: number
  /** Stands in for a block that would fit if it were not for `field`; null starts a new part. */
  readonly replace?: (block: Block, field: string, place: PartPlace) => Block | null
}

/** The part a block is about to go into. */
export interface PartPlace {
  readonly isFirst: boolean
  /** Full enough to be closed, were it not for the field that is over. */
  readonly isFullEnough: boolean
}

/** A part this full is closed rather than filled with half of a block that fits the next part whole. */
const FULL_ENOUGH = 0.4
/** Of one long sentence, so much goes along with headings that would stand alone. */
const MAX_COMPANY_CHARS = 300
/** A longer "…:" paragraph may end a part. */
const MAX_LEAD_IN_CHARS = 200

/**
 * Splits a document into parts that each keep every budget, in order, losing nothing and repeating only what must be
 * (a table's header row, a fence). Cuts in front of a heading, between blocks, items, rows, code lines, sentences,
 * words, graphemes: the first of these that fills a part well. Deterministic, linear in the document.
 *
 * A heading never ends a part and no part is blank. A document without visible text gives no parts.
 */
export function planParts(root: Root, options: PlanOptions): Root[] {
  return [...partsOf(root.children, options)]
}

/** The same part by part, each as soon as it is complete. Looks at no more blocks than it needs. */
export function partsOf(blocks: Iterable<Block>, options: PlanOptions): Generator<Root> {
  return new Planner(options).run(blocks)
}

interface Placed {
  readonly piece: Piece
  readonly amounts: Amounts
}

class Planner {
  /** The last complete part: the next may still take a block out of it. */
  private held: Root | null = null
  private readonly complete: Root[] = []
  private placed: Placed[] = []
  private used: Amounts
  private readonly queue: Piece[] = []
  private readonly cutter: Cutter
  private readonly fields: readonly string[]
  private readonly budgets: { readonly first: Amounts; readonly other: Amounts }
  private lastId = 0

  constructor(private readonly options: PlanOptions) {
    const { budget, firstBudget = budget } = options
    this.fields = [...new Set([...Object.keys(budget), ...Object.keys(firstBudget)])]
    this.budgets = { first: this.limits(firstBudget), other: this.limits(budget) }
    this.used = this.nothing()
    this.cutter = { maxLeafChars: options.maxLeafChars, nextId: () => ++this.lastId }
  }

  *run(blocks: Iterable<Block>): Generator<Root> {
    for (const block of blocks) {
      this.queue.push(wholeBlock(block))
      for (let piece = this.queue.pop(); piece !== undefined; piece = this.queue.pop()) this.place(piece)
      if (this.complete.length > 0) yield* this.complete.splice(0)
    }
    this.emit(this.placed)
    yield* this.complete
    if (this.held !== null) yield this.held
  }

  private get budget(): Amounts {
    return this.held === null ? this.budgets.first : this.budgets.other
  }

  private limits(budget: Cost): Amounts {
    return this.fields.map((field) => budget[field] ?? Number.POSITIVE_INFINITY)
  }

  private nothing(): Amounts {
    return this.fields.map(() => 0)
  }

  private measure(block: Block): Amounts {
    const cost = this.options.measure(block)
    return this.fields.map((field) => cost[field] ?? 0)
  }

  private place(piece: Piece): void {
    if (piece.block.type === 'thematicBreak' && this.placed.length === 0) return
    const last = this.placed.at(-1)
    const levels = last === undefined ? 0 : sharedLevels(last.piece, piece)
    const lifted = withoutContinuedItem(piece, levels)
    if (lifted !== null) {
      this.requeue(lifted)
      return
    }
    const whole = this.measure(piece.block)
    const amounts = levels === 0 ? whole : minus(whole, this.measure(shellOf(piece.block, levels)))
    const used = plus(this.used, amounts)
    if (exceeds(used, this.budget)) this.makeRoom(piece, whole)
    else this.append(piece, levels, amounts)
  }

  private append(piece: Piece, levels: number, amounts: Amounts): void {
    const last = this.placed.at(-1)
    this.used = plus(this.used, amounts)
    if (last === undefined || levels === 0) {
      this.placed.push({ piece, amounts })
      return
    }
    this.placed[this.placed.length - 1] = {
      piece: joinPieces(last.piece, piece, levels),
      amounts: plus(last.amounts, amounts),
    }
  }

  private makeRoom(piece: Piece, whole: Amounts): void {
    const standIn = this.standIn(piece, whole)
    const slices = standIn === null ? this.slices(piece, whole) : [wholeBlock(standIn)]
    if (slices !== null) this.requeue(slices)
    else if (this.placed.length === 0) this.append(piece, 0, whole)
    else this.next(piece)
  }

  /** The piece taken apart, or null when it is better left whole or cannot be taken apart. */
  private slices(piece: Piece, whole: Amounts): readonly Piece[] | null {
    const fitsAlone = !exceeds(whole, this.budgets.other)
    const isBetterWhole = this.isFullEnough() || piece.block.type === 'heading'
    if (fitsAlone && this.placed.length > 0 && isBetterWhole) return null
    const slices = explode(piece, this.cutter)
    return slices !== null && slices.length > 0 ? slices : null
  }

  private standIn(piece: Piece, whole: Amounts): Block | null {
    const used = plus(this.used, whole)
    const [field, ...others] = this.fields.filter((_, at) => (used[at] ?? 0) > (this.budget[at] ?? 0))
    if (field === undefined || others.length > 0 || piece.joins.length > 0) return null
    const place = { isFirst: this.held === null, isFullEnough: this.isFullEnough(field) }
    return this.options.replace?.(piece.block, field, place) ?? null
  }

  private isFullEnough(except?: string): boolean {
    return this.budget.some(
      (limit, at) => this.fields[at] !== except && (this.used[at] ?? 0) >= limit * FULL_ENOUGH,
    )
  }

  /** Ends the part in front of `piece`, taking along the headings that introduce it. */
  private next(piece: Piece): void {
    let end = this.placed.length
    while (end > 0 && keepsWithNext(this.placed[end - 1]?.piece.block)) end -= 1
    if (end === 0) end = this.placed.length
    const moved = this.placed.slice(end).map(({ piece: kept }) => kept)
    this.emit(this.placed.slice(0, end))
    this.placed = []
    this.used = this.nothing()
    this.requeue([...moved, piece])
  }

  private emit(placed: readonly Placed[]): void {
    const blocks = placed.map(({ piece }) => finished(piece))
    while (blocks.at(-1)?.type === 'thematicBreak') blocks.pop()
    if (!hasVisibleWords(blocks)) return
    if (!isMoreThanHeadings(blocks)) blocks.unshift(...this.companyFor(placed))
    if (this.held !== null) this.complete.push(this.held)
    this.held = { type: 'root', children: blocks }
  }

  /** For a part of headings only: the end of the part before, its last block whole when that leaves enough behind. */
  private companyFor(placed: readonly Placed[]): readonly Block[] {
    const before = this.held?.children ?? []
    const last = before.at(-1)
    if (last === undefined || last.type === 'heading') return []
    for (const taken of [wholeTail(before), this.cutTail(before, last)]) {
      if (taken === null) continue
      const amounts = [...placed.map((one) => one.amounts), ...taken.tail.map((block) => this.measure(block))]
      if (exceeds(amounts.reduce(plus), this.budget)) continue
      this.held = { type: 'root', children: taken.kept }
      return taken.tail
    }
    return []
  }

  /** A bit of the last block. What is left has to fit where the block did: the halves of a cut link are longer than it. */
  private cutTail(blocks: readonly Block[], last: Block): Company | null {
    const split = splitTail(last, this.companyCutter(last))
    if (split === null || exceeds(this.measure(split.rest), this.measure(last))) return null
    return { kept: [...blocks.slice(0, -1), split.rest], tail: split.tail }
  }

  /** Prose is cut shorter than elsewhere: a heading needs company, not half of the part before. */
  private companyCutter(last: Block): Cutter {
    return last.type === 'paragraph' ? { ...this.cutter, maxLeafChars: MAX_COMPANY_CHARS } : this.cutter
  }

  private requeue(pieces: readonly Piece[]): void {
    for (const piece of pieces.toReversed()) this.queue.push(piece)
  }
}

/** A part divided: its end goes along with headings that would stand alone. */
interface Company {
  readonly kept: readonly Block[]
  readonly tail: readonly Block[]
}

/** The last block with what introduces it. Null when only headings would be left. */
function wholeTail(blocks: readonly Block[]): Company | null {
  let start = blocks.length - 1
  while (start > 0 && keepsWithNext(blocks[start - 1])) start -= 1
  const tail = blocks.slice(start)
  while (start > 0 && blocks[start - 1]?.type === 'thematicBreak') start -= 1
  const kept = blocks.slice(0, start)
  return isMoreThanHeadings(kept) ? { kept, tail } : null
}

function isMoreThanHeadings(blocks: readonly Block[]): boolean {
  return hasVisibleWords(blocks.filter((block) => block.type !== 'heading'))
}

function keepsWithNext(block: Block | undefined): boolean {
  if (block === undefined) return false
  if (block.type === 'heading') return true
  if (block.type !== 'paragraph') return false
  const text = plainInline(block.children)
  return text.length <= MAX_LEAD_IN_CHARS && /[:：]\s*$/.test(text)
}
