import { configureGlobal } from 'fast-check'

/** The same examples in every run, so that a failure is one of the change at hand. `PROPERTY_SEED` tries others. */
configureGlobal({ seed: Number(process.env.PROPERTY_SEED ?? 1) })
