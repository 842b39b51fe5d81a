/** A small completed run in a Slack channel, as a producer posts it; `change` is laid over it. */
export function aRun(change: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    runId: 'run_1',
    conversation: { platform: 'slack', workspace: 'T024BE7LD', channel: 'C061EG9SL', kind: 'channel' },
    outcome: { status: 'completed', stopReason: 'end_turn', output: 'Done.' },
    ...change,
  }
}

/** The example of the issue, with every field a run may have. */
export const FULL_RUN = {
  runId: 'run_7f3a',
  attempt: 1,
  conversation: {
    platform: 'slack',
    workspace: 'T024BE7LD',
    channel: 'C061EG9SL',
    thread: '1732960000.000100',
    kind: 'channel',
  },
  trigger: { kind: 'user', requester: 'U2147483697', via: 'slack' },
  task: { kind: 'chat' },
  outcome: {
    status: 'truncated',
    stopReason: 'max_tokens',
    output: null,
    partialOutput: 'So far I found ...',
    errorCode: 'output_limit',
    error: 'raw text, never shown',
    diagnostic: 'safe text, may be shown',
  },
  locale: 'zh-CN',
  links: { run: 'https://agents.example.com/runs/run_7f3a' },
  retryPending: false,
  finishedAt: '2026-11-30T10:00:00Z',
  expiresAt: '2026-12-01T10:00:00Z',
}
