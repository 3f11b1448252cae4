import { getEnv } from '#server/env.ts'
import { endpoint } from '#server/http.ts'
import { readHeldPhoto } from './held-photos.server.ts'

/** `GET /api/held-photos/{name}`: a photo that is out of sight, for those who may see it. Nothing keeps a copy. */
export const heldPhoto = endpoint(async ({ params, locals }) => {
  const { adminEmail, dataDir } = getEnv()
  const bytes = await readHeldPhoto(locals.db, dataDir, { user: locals.user, adminEmail }, params.name ?? '')
  return new Response(new Uint8Array(bytes), {
    headers: { 'Content-Type': 'image/jpeg', 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' },
  })
})
