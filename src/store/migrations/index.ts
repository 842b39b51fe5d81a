import { LEDGER } from './0001-ledger.js'
import { INSTALLS } from './0002-installs.js'
import { OUTGOING } from './0003-outgoing.js'
import { NOTICES } from './0004-notices.js'
import { CONSOLE } from './0005-console.js'
import { LANES } from './0006-lanes.js'

/** The schema's history, oldest first. A migration that has shipped is never edited. */
export const MIGRATIONS: readonly { readonly name: string; readonly sql: string }[] = [
  { name: '0001-ledger', sql: LEDGER },
  { name: '0002-installs', sql: INSTALLS },
  { name: '0003-outgoing', sql: OUTGOING },
  { name: '0004-notices', sql: NOTICES },
  { name: '0005-console', sql: CONSOLE },
  { name: '0006-lanes', sql: LANES },
]
