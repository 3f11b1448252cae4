import type { APIRoute, GetStaticPaths } from 'astro'
import { portraitFile, portraitNames } from '#features/breeds/portraits.server.ts'

/** Drawn at build time: a portrait and a silhouette of every breed. */
export const prerender = true

export const getStaticPaths = (() => portraitNames.map((name) => ({ params: { name } }))) satisfies GetStaticPaths

export const GET: APIRoute = ({ params: { name = '' } }) =>
  new Response(portraitFile(name), { headers: { 'Content-Type': 'image/svg+xml' } })
