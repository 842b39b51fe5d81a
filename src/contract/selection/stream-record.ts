import type { JsonObject } from '../json-object.js'
import { isJsonObject, objectField } from '../json-object.js'

/** Compact forms a log may store a stream in, with the exact fields each must have. `name` is optional. */
const RECORD_FIELDS = {
  'text-chunks': { required: ['type', 'time0', 'index', 'dt', 'texts'], optional: [], members: 'texts' },
  'reasoning-chunks': { required: ['type', 'time0', 'index', 'dt', 'texts'], optional: [], members: 'texts' },
  'tool-call-chunks': {
    required: ['type', 'time0', 'index', 'dt', 'id', 'args'],
    optional: ['name'],
    members: 'args',
  },
  chunk: { required: ['type', 'time', 'chunk'], optional: [], members: null },
} as const satisfies Record<
  string,
  { required: readonly string[]; optional: readonly string[]; members: string | null }
>

type RecordType = keyof typeof RECORD_FIELDS

/**
 * The words of one compact stream record; null when `part` is not a compact record and `mode` allows that.
 * @throws {TypeError} when a record misses a field, has one too many, has no members, or has gaps that do not match them
 */
export function readRecordText(part: unknown, mode: 'lenient' | 'records'): string | null {
  if (!isJsonObject(part) || !isRecordType(part.type)) {
    if (mode === 'records') throw new TypeError('unknown stream record')
    return null
  }
  const type = part.type
  requireExactFields(type, part)
  if (type === 'chunk') return chunkText(part)
  const texts = requireMembers(type, part)
  return type === 'text-chunks' ? texts.join('') : ''
}

function chunkText(fields: JsonObject): string {
  requireNumber('time', fields.time)
  const chunk = objectField(fields, 'chunk')
  if (chunk === null || typeof chunk.type !== 'string')
    throw new TypeError('a stream record must hold a chunk')
  if (chunk.type !== 'text-delta') return ''
  if (typeof chunk.text !== 'string') throw new TypeError('a text delta must hold a text')
  return chunk.text
}

function requireExactFields(type: RecordType, fields: JsonObject): void {
  const { required, optional } = RECORD_FIELDS[type]
  const allowed: readonly string[] = [...required, ...optional]
  for (const name of required) {
    if (!(name in fields)) throw new TypeError(`a ${type} record must have ${name}`)
  }
  if (Object.keys(fields).some((name) => !allowed.includes(name))) {
    throw new TypeError(`a ${type} record has an unknown field`)
  }
}

function requireMembers(type: Exclude<RecordType, 'chunk'>, fields: JsonObject): string[] {
  requireNumber('time0', fields.time0)
  requireNumber('index', fields.index)
  if (type === 'tool-call-chunks' && typeof fields.id !== 'string')
    throw new TypeError('a tool call must have an id')
  const members = fields[RECORD_FIELDS[type].members]
  const gaps = fields.dt
  if (!isStringList(members) || members.length === 0)
    throw new TypeError(`a ${type} record must have members`)
  if (!isNumberList(gaps) || gaps.length !== members.length - 1) {
    throw new TypeError(`a ${type} record must have one gap fewer than members`)
  }
  return members
}

function requireNumber(name: string, value: unknown): void {
  if (typeof value !== 'number' || !Number.isFinite(value)) throw new TypeError(`${name} must be a number`)
}

function isStringList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((element) => typeof element === 'string')
}

function isNumberList(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((element) => typeof element === 'number')
}

function isRecordType(type: unknown): type is RecordType {
  return typeof type === 'string' && Object.hasOwn(RECORD_FIELDS, type)
}
