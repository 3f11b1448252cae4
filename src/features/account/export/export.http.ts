import { ReadableStream } from 'node:stream/web'
import { redirect } from '#server/forms.ts'
import { isRecentlyAuthenticated } from '#features/auth/recent-auth/recent-auth.ts'
import { madridDay } from '#lib/dates.ts'
import { paths } from '#lib/paths.ts'
import { getEnv } from '#server/env.ts'
import { endpoint, requireAuthenticatedMember } from '#server/endpoint.ts'
import { limit } from '#server/limits/rate-limit.ts'
import { EXPORT_RATE_LIMIT } from '#features/account/account.ts'
import { exportMemberData, logExport } from './export-zip.server.ts'

/** GET /api/account/export: all the member's data, as a zip that is built while it is sent. @throws AppError 401, 403, 429 */
export const downloadExport = endpoint({ 200: 'application/zip', 303: null }, async (context) => {
  const user = requireAuthenticatedMember(context)
  const { method, headers } = context.request
  // The link of a page that was open for long: redirected to the confirmation, not answered with an error as a download.
  const isPage = method === 'GET' && /\btext\/html\b/.test(headers.get('accept') ?? '')
  if (isPage && !isRecentlyAuthenticated(user.authenticatedAt)) return redirect(paths.accountConfirm('pide'))
  const zip = exportMemberData(context.locals.db, getEnv().dataDir, user)
  await limit('export', user.id, ...EXPORT_RATE_LIMIT)
  await logExport(context.locals.db, user.id)
  const waitForDrain = context.locals.waitForDrain
  async function* body() {
    for await (const chunk of zip) {
      yield chunk
      await waitForDrain?.()
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
