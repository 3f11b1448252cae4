import { ReadableStream } from 'node:stream/web'
import { madridDay } from '#lib/dates.ts'
import { getDb } from '#server/db.ts'
import { getEnv } from '#server/env.ts'
import { endpoint, requireUser } from '#server/http.ts'
import { limit } from '#server/rate.ts'
import { EXPORT_LIMIT } from './account-data.ts'
import { exportZip } from './export-zip.server.ts'

/** GET /api/account/export: everything the member has here, as a zip that is made while it is sent. */
export const download = endpoint(async (context) => {
  const user = requireUser(context)
  await limit('exports of a member', user.id, ...EXPORT_LIMIT)
  const drained = context.locals.drained
  async function* body() {
    for await (const piece of exportZip(getDb(), getEnv().dataDir, user.id)) {
      yield piece
      await drained?.()
    }
  }
  return new Response(ReadableStream.from(body()) as unknown as BodyInit, {
    headers: {
      'Content-Type': 'application/zip',
      'Content-Disposition': `attachment; filename="perrario-${madridDay(Date.now())}.zip"`,
      'Cache-Control': 'no-store',
    },
  })
})
