import { getEnv } from '#server/env.ts'
import { endpoint } from '#server/endpoint.ts'
import { readHiddenPhoto } from './hidden-photos.server.ts'

/** `GET /api/held-photos/{name}`: a hidden photo, for its dog's people and the admin. No cache may store it. */
export const getHiddenPhoto = endpoint({ 200: 'image/jpeg' }, async ({ params, locals }) => {
  const { adminEmail, dataDir } = getEnv()
  const bytes = await readHiddenPhoto(locals.db, dataDir, { user: locals.user, adminEmail }, params.name ?? '')
  return new Response(new Uint8Array(bytes), {
    headers: { 'Content-Type': 'image/jpeg', 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' },
  })
})
