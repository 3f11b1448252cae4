import * as z from 'zod/mini'
import { AppError } from '#lib/errors.ts'
import { isDraining } from '#server/connections/draining.ts'
import { pingDatabase } from '#server/db.ts'
import { endpoint } from '#server/endpoint.ts'

/** Ready: 200 once the database answers, and 503 as soon as the process is asked to stop. */
export const GET = endpoint({ 200: z.object({ status: z.literal('ok') }) }, async ({ locals }) => {
  if (isDraining()) throw new AppError(503, 'Este servidor se está cerrando.', { retryAfter: 1 })
  await pingDatabase(locals.db)
  return { status: 'ok' } as const
})
