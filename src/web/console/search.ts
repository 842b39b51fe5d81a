import { z } from 'zod'
import { DELIVERY_STATES, type DeliveryState } from '../../store/tables.js'

/** Deliveries on one page. */
export const PAGE_SIZE = 50

const word = z
  .string()
  .max(300)
  .optional()
  .transform((text) => (text === undefined || text.trim() === '' ? null : text.trim()))

const SearchQuery = z.object({
  run: word,
  conversation: word,
  reason: word,
  installation: word,
  state: z
    .union([z.enum(DELIVERY_STATES), z.literal('')])
    .optional()
    .transform((state) => (state === undefined || state === '' ? null : state)),
  before: z.coerce
    .number()
    .int()
    .min(1)
    .nullish()
    .transform((seq) => seq ?? null),
})

/** What is searched for; it stands whole in the address. */
export interface Search {
  readonly run: string | null
  readonly conversation: string | null
  readonly reason: string | null
  readonly installation: string | null
  readonly state: DeliveryState | null
  /** Deliveries older than this one of the page before. */
  readonly before: number | null
}

export const EVERYTHING: Search = {
  run: null,
  conversation: null,
  reason: null,
  installation: null,
  state: null,
  before: null,
}

/** The search in an address, or null when it is malformed. */
export function parseSearch(query: unknown): Search | null {
  const parsed = SearchQuery.safeParse(query)
  return parsed.success ? parsed.data : null
}

/** The address of a search. */
export function searchPath(search: Partial<Search>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(search)) {
    if (value !== null && value !== undefined) query.set(name, String(value))
  }
  const text = query.toString()
  return text === '' ? '/console/deliveries' : `/console/deliveries?${text}`
}

export function isFiltered({ before: _before, ...filters }: Search): boolean {
  return Object.values(filters).some((value) => value !== null)
}
