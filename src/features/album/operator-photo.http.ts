import type { APIRoute } from 'astro'
import { paths } from '#lib/paths.ts'
import { getEnv } from '#server/env.ts'
import { breedBySlug } from '#features/breeds/catalogue.server.ts'
import { BREED_BOXES, type BreedBox, renderOperatorPhoto } from './operator-photo.server.ts'

/** `GET /retratos/foto/{slug}?t=breed&v=…`: the operator's photo, or a redirect to the portrait. */
export const serveOperatorPhoto: APIRoute = async ({ params, url }) => {
  const slug = params.slug ?? ''
  const box = url.searchParams.get('t') ?? 'breed'
  if (!breedBySlug(slug) || !BREED_BOXES.includes(box as BreedBox)) return new Response(null, { status: 404 })
  const picture = await renderOperatorPhoto(getEnv().dataDir, slug, box as BreedBox)
  if (!picture)
    return new Response(null, { status: 302, headers: { Location: paths.portrait(slug), 'Cache-Control': 'no-store' } })
  return new Response(new Uint8Array(picture), {
    // Private: the response passes the session middleware, so no shared cache may store it.
    headers: { 'Content-Type': 'image/webp', 'Cache-Control': 'private, max-age=31536000, immutable' },
  })
}
