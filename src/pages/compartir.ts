import type { APIRoute } from 'astro'
import { paths } from '#lib/paths.ts'
import { endpoint } from '#server/endpoint.ts'
import { limit } from '#server/limits/rate-limit.ts'

// The share target without a service worker (not installed yet, or just retired). The photo is not stored: the form opens and asks
// to choose it again.
const redirectToForm = endpoint(async ({ locals, redirect }) => {
  // Any origin may post here (server/security/origin.ts). The body is never read.
  await limit('share-target', locals.network, 60, 60)
  return redirect(paths.sharedNotFound, 303)
})

export const POST = redirectToForm
export const GET: APIRoute = ({ redirect }) => redirect(paths.addDog)
