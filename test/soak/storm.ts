import type { LarkFault } from '../support/lark/faults.js'
import type { SlackFault } from '../support/slack/faults.js'

/** What can happen to a post on Slack; `late` only within the time that the app lets the platform settle. */
export function slackFault(random: () => number): SlackFault {
  const when = random() < 0.5 ? 'before' : 'after'
  const faults: readonly SlackFault[] = [
    { kind: 'rate_limit', retryAfter: '1' },
    { kind: 'rate_limit', retryAfter: null },
    { kind: 'http', status: 503, when },
    { kind: 'http', status: 500, when },
    { kind: 'reset', when },
    { kind: 'cut' },
    { kind: 'slow', delayMs: 50 + random() * 400, commit: when === 'before' ? 'then' : 'now' },
    { kind: 'late_commit', delayMs: random() * 500 },
    { kind: 'html', when },
    { kind: 'error', code: 'service_unavailable' },
    { kind: 'error', code: 'fatal_error', when },
  ]
  return faults[Math.floor(random() * faults.length)] ?? { kind: 'cut' }
}

export function larkFault(random: () => number): LarkFault {
  const commits = random() < 0.5
  const faults: readonly LarkFault[] = [
    { kind: 'rate_limit', resetSeconds: 1 },
    { kind: 'code', code: 230020 },
    { kind: 'http', status: 502 },
    { kind: 'commit_then_http', status: 500 },
    { kind: 'reset' },
    { kind: 'commit_then_drop' },
    { kind: 'drop_then_commit', ms: random() * 500 },
    { kind: 'cut_body' },
    { kind: 'slow_answer', ms: 50 + random() * 400 },
    { kind: 'delay', ms: 50 + random() * 400 },
    { kind: 'garbage', commits },
    { kind: 'code', code: 99991663, status: 401 },
  ]
  return faults[Math.floor(random() * faults.length)] ?? { kind: 'reset' }
}
