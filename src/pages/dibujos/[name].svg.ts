import type { APIRoute, GetStaticPaths } from 'astro'
import { figureFiles, renderFigureByName } from '#features/breeds/figures.server.ts'

/** Drawn at build time: size, weight, coat and purpose of every breed. */
export const prerender = true

export const getStaticPaths = (() => figureFiles.map(({ name }) => ({ params: { name } }))) satisfies GetStaticPaths

export const GET: APIRoute = ({ params: { name = '' } }) =>
  new Response(renderFigureByName(name), { headers: { 'Content-Type': 'image/svg+xml' } })
