import { openApp } from '../../../src/app/app.js'
import { parseConfig } from '../../../src/config.js'
import type { StepName } from '../../../src/deliver/steps.js'
import { createLogger } from '../../../src/log.js'
import { CrashPlan } from './plan.js'

// The real app as a process of its own, which kills itself at a named step. Nothing of it runs afterwards.
const plan = CrashPlan.parse(JSON.parse(process.argv[2] ?? '{}'))
let reachedCount = 0

function reached(step: StepName): void {
  if (step !== plan.step) return
  reachedCount += 1
  if (reachedCount !== plan.occurrence) return
  if (plan.afterMs === 0) die()
  else setTimeout(die, plan.afterMs)
}

function die(): void {
  process.kill(process.pid, 'SIGKILL')
}

process.once('disconnect', () => process.exit(0))
const config = parseConfig(plan.env)
const app = await openApp(config, createLogger(config.LASTWORD_LOG_LEVEL), { callTimeoutMs: 3_000, reached })
process.once('SIGTERM', () => {
  void app.close().then(() => process.exit(0))
})
process.send?.('ready')
