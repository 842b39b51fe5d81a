import { readHarnessEvent } from '../adapters/harness.js'
import { createSdkFilter } from '../adapters/sdk.js'
import { stringField } from '../json-object.js'
import { readContribution } from '../selection/event.js'
import { AssistantOutputFold } from '../selection/fold.js'
import { statusFromStopReason } from '../status.js'
import { countToolUses } from './content-block.js'
import type { TranscriptEnd, TranscriptSource } from './source.js'
import { OTHER_EVENT } from './source.js'

/**
 * Session logs of the harness, or the SDK notifications that carry them. A log without a turn end is a failure.
 * @param seedLength how many events at the start belong to a parent or to an earlier epoch
 */
export function createHarnessSource(seedLength: number): TranscriptSource {
  const fold = new AssistantOutputFold()
  const filter = createSdkFilter({ sessionId: null })
  let seedLeft = seedLength
  let end: TranscriptEnd | null = null
  let sessionId: string | null = null
  return {
    label: 'harness',
    withoutEnd: 'failed',
    isEndFinal: true,
    get sessionId() {
      return sessionId
    },
    collect: () => fold.collect(),
    end: () => end,
    read: (raw) => {
      const isNotification = raw.method !== undefined
      const event = isNotification ? filter(raw) : raw
      if (event === null) return OTHER_EVENT
      sessionId ??= stringField(event, 'sessionId')
      if (seedLeft > 0) {
        seedLeft -= 1
        return OTHER_EVENT
      }
      const read = readHarnessEvent(event)
      if (read.kind === 'turn_start') end = null
      if (read.kind === 'turn_end') {
        const status = statusFromStopReason(isNotification ? 'sdk' : 'in-process', read.reason)
        end = { status, stopReason: read.reason, error: null }
      }
      if (read.kind !== 'assistant') return OTHER_EVENT
      const contribution = readContribution(read.event)
      fold.add(contribution)
      return { role: 'assistant', toolUseCount: countToolUses(contribution.message) }
    },
  }
}
