import { z } from 'zod'
import { STEPS } from '../../../src/deliver/steps.js'

/** What a process that is to die is told: its settings, and where it dies. */
export const CrashPlan = z.object({
  env: z.record(z.string(), z.string()),
  /** Absent: it lives until it is killed from outside. */
  step: z.enum(STEPS).optional(),
  /** Which time the step is reached, from 1. */
  occurrence: z.number().int().min(1).default(1),
  /** How long after it, in ms; 0: at once, with nothing of what follows. */
  afterMs: z.number().int().min(0).default(0),
})
export type CrashPlan = z.input<typeof CrashPlan>
