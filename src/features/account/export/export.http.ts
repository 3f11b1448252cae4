import { ReadableStream } from 'node:stream/web'
import { redirect } from '#features/auth/forms.http.ts'
import { isRecentlyAuthenticated } from '#features/auth/recent-auth/recent-auth.ts'
import { madridDay } from '#lib/dates.ts'
import { paths } from '#lib/paths.ts'
import { getEnv } from '#server/env.ts'
import { endpoint, requireAuthenticatedMember } from '#server/endpoint.ts'
import { limit } from '#server/limits/rate-limit.ts'
import { EXPORT_RATE_LIMIT } from '#features/account/account.ts'
import { exportMemberData } from './export-zip.server.ts'

/** GET /api/account/export: everything the member has here, as a zip that is made while it is sent. */
export const download = endpoint(async (context) => {
  const user = requireAuthenticatedMember(context)
  const { method, headers } = context.request
  // The link of a page that lay open for long: led to the step, not given a file that says no.
  const isPage = method === 'GET' && /\btext\/html\b/.test(headers.get('accept') ?? '')
  if (isPage && !isRecentlyAuthenticated(user.provedAt)) return redirect(paths.accountConfirm('pide'))
  const zip = exportMemberData(context.locals.db, getEnv().dataDir, user)
  await limit('exports of a member', user.id, ...EXPORT_RATE_LIMIT)
  const drained = context.locals.waitForDrain
  async function* body() {
    for await (const piece of zip) {
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
