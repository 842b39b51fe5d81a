import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { LastwordError } from '../errors.js'

/** Reads a file, or standard input for `-`. @throws {LastwordError} `usage` when it cannot be read */
export async function readInput(path: string): Promise<string> {
  if (path === '-') return text(process.stdin)
  return readFile(path, 'utf8').catch((cause) => {
    throw new LastwordError('usage', `${path} cannot be read`, { cause })
  })
}

/** The same as a stream of bytes, for input that need not fit in memory. @throws {LastwordError} `usage` */
export async function* openInput(path: string): AsyncIterable<Uint8Array> {
  try {
    yield* path === '-' ? process.stdin : createReadStream(path)
  } catch (cause) {
    throw new LastwordError('usage', `${path} cannot be read`, { cause })
  }
}

/** @throws {LastwordError} `invalid_json` */
export function parseJson(source: string): unknown {
  try {
    return JSON.parse(source)
  } catch (cause) {
    throw new LastwordError('invalid_json', undefined, { cause })
  }
}
