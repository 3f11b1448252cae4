import { pingDatabase } from '#server/db.ts'
import { endpoint } from '#server/endpoint.ts'

/** 200 once the database answers. */
export const GET = endpoint(async ({ locals }) => {
  await pingDatabase(locals.db)
  return { status: 'ok' }
})
