import { getEnv } from '#server/env.ts'
import { endpoint } from '#server/endpoint.ts'
import { readQuarantinedPhoto } from './quarantined-photos.server.ts'

/** `GET /api/held-photos/{name}`: a quarantined photo, for its dog's people and the admin. No cache may store it. */
export const getQuarantinedPhoto = endpoint({ 200: 'image/jpeg' }, async ({ params, locals }) => {
  const { adminEmail, dataDir } = getEnv()
  const bytes = await readQuarantinedPhoto(locals.db, dataDir, { user: locals.user, adminEmail }, params.name ?? '')
  return new Response(new Uint8Array(bytes), {
    headers: { 'Content-Type': 'image/jpeg', 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' },
  })
})
