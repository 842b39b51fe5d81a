import type { JsonObject } from '../json-object.js'
import { stringField } from '../json-object.js'
import { readContribution } from '../selection/event.js'
import { AssistantOutputFold } from '../selection/fold.js'
import { statusFromStopReason } from '../status.js'
import { countToolUses } from './content-block.js'
import type { TranscriptEnd, TranscriptSource } from './source.js'
import { OTHER_EVENT } from './source.js'

/** Transcripts of neutral events, one object each with a `kind`. One that just stops is complete: nothing says otherwise. */
export function createNeutralSource(): TranscriptSource {
  const fold = new AssistantOutputFold()
  let end: TranscriptEnd | null = null
  return {
    label: 'agent',
    withoutEnd: 'completed',
    isEndFinal: true,
    sessionId: null,
    collect: () => fold.collect(),
    end: () => end,
    read: (event) => {
      const kind = stringField(event, 'kind')
      if (kind === null) throw new TypeError('a neutral event must have a kind')
      if (kind === 'turn_start') end = null
      if (kind === 'turn_end') end = turnEnd(event)
      if (!kind.startsWith('assistant_') && kind !== 'raw_text') return OTHER_EVENT
      const contribution = readContribution({ ...event, kind })
      fold.add(contribution)
      return { role: 'assistant', toolUseCount: countToolUses(contribution.message) }
    },
  }
}

function turnEnd(event: JsonObject): TranscriptEnd {
  const reason = stringField(event, 'reason')
  return { status: statusFromStopReason('in-process', reason), stopReason: reason, error: null }
}
