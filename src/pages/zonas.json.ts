import type { APIRoute } from 'astro'
import { mostPopulatedPlaces } from '#features/places/suggest.server.ts'

/** What the form proposes as a zone where there is no network; the service worker keeps it. */
export const prerender = true

/** Nearly everybody lives in one of these; the rest can be typed. */
const COUNT = 3000

export const GET: APIRoute = () => Response.json(mostPopulatedPlaces(COUNT))
