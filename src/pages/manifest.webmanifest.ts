import type { APIRoute } from 'astro'
import { manifest } from '#features/pwa/manifest.ts'

export const prerender = true

export const GET: APIRoute = () =>
  new Response(JSON.stringify(manifest), { headers: { 'Content-Type': 'application/manifest+json' } })
