import type { Db } from '#db/client.ts'
import { type Job, runEvery } from '#lib/jobs.ts'
import { MINUTE_MS } from '#lib/time.ts'
import { askDueQuestions } from './questions.server.ts'

/** Asks owners whether their dogs are still lost, every ten minutes. All state is in the database. */
export const startLostQuestions = (
  db: Db,
  mailer: Parameters<typeof askDueQuestions>[1],
  { intervalMs = 10 * MINUTE_MS, delayMs = MINUTE_MS, clock = Date.now } = {},
): Job =>
  runEvery(
    { intervalMs, delayMs },
    'perrario · las preguntas por perros perdidos no se pudieron hacer:',
    async (signal) => {
      const { asked, ended } = await askDueQuestions(db, mailer, clock(), signal)
      if (asked + ended > 0) console.log(`perrario · perros perdidos: ${asked} preguntas, ${ended} avisos retirados`)
    },
  )
