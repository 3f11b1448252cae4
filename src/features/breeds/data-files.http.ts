import { createHash } from 'node:crypto'
import type { APIRoute } from 'astro'
import { matchesEtag } from '#lib/http/conditional-requests.ts'
import { getEnv } from '#server/env.ts'
import { breedFiles } from './data-files.server.ts'

/** A JSON file that caches may store for an hour and then revalidate by its ETag. */
const jsonFile =
  (build: (db: App.Locals['db']) => Promise<object> | object): APIRoute =>
  async ({ locals, request }) => {
    const body = JSON.stringify(await build(locals.db))
    const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 16)}"`
    const headers = {
      'Cache-Control': 'public, max-age=3600, stale-while-revalidate=86400',
      ETag: etag,
    }
    if (matchesEtag(request.headers.get('if-none-match') ?? undefined, etag))
      return new Response(null, { status: 304, headers })
    return new Response(body, { headers: { ...headers, 'Content-Type': 'application/json; charset=utf-8' } })
  }

export const serveBreeds = jsonFile((db) => breedFiles.breeds(db, getEnv().dataDir))
export const serveMappings = jsonFile(breedFiles.mappings)
export const serveReverseMappings = jsonFile(breedFiles.reverse)
export const serveImages = jsonFile((db) => breedFiles.images(db, getEnv().dataDir))
