import type { APIRoute } from 'astro'
import { mostPopulatedPlaces } from '#features/places/suggest.server.ts'

/** The form's suggestions of zones without network; the service worker stores them. */
export const prerender = true

/** Nearly everyone in Spain lives in one of these; others can be typed. */
const PLACE_COUNT = 3000

export const GET: APIRoute = () => Response.json(mostPopulatedPlaces(PLACE_COUNT))
