import * as z from 'zod/mini'
import { pingDatabase } from '#server/db.ts'
import { endpoint } from '#server/endpoint.ts'

/** 200 once the database answers. */
export const GET = endpoint({ 200: z.object({ status: z.literal('ok') }) }, async ({ locals }) => {
  await pingDatabase(locals.db)
  return { status: 'ok' } as const
})
