import { createLogger } from '../../src/log.js'
import { startEmbedded } from '../../src/store/embedded.js'

/** A process that starts the embedded Postgres in the folder it is given, says so, and waits to be killed. */
await startEmbedded(process.argv[2] ?? '', createLogger('silent'))
process.stdout.write('started\n')
setInterval(() => undefined, 60_000)
