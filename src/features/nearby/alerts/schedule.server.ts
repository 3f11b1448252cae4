import type { Db } from '#db/client.ts'
import { type Job, runEvery } from '#lib/jobs.ts'
import { SECOND_MS } from '#lib/time.ts'
import { announceArrivals } from './breed-alerts.server.ts'

/** Nobody waits for an alert, and an empty queue costs one look at an empty table. */
const INTERVAL_MS = 5 * SECOND_MS

/** Notifies members of missing breeds near them. All state is in the database. */
export const startBreedAlerts = (db: Db, { intervalMs = INTERVAL_MS, clock = Date.now } = {}): Job =>
  runEvery({ intervalMs }, 'perrario · los avisos de razas cercanas no se pudieron enviar:', async (ending) => {
    const notified = await announceArrivals(db, ending, clock())
    if (notified > 0) console.log(`perrario · avisos de razas cercanas: ${notified}`)
  })
