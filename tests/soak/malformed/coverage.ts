import { ROUTES } from '#tests/support/malformed/routes.ts'
import type { MalformedReport } from './scenario.ts'

/** How many of two thousand answers are of each kind at least: requests that got somewhere, and ones refused at each stage. */
const MIN_ANSWERS = [
  [200, 200],
  [201, 8],
  [204, 15],
  [303, 100],
  [400, 100],
  [401, 30],
  [403, 15],
  [404, 100],
  [405, 1],
  [413, 1],
  [415, 3],
  [422, 40],
  [431, 3],
] as const
/** So many requests are of each kind, and reach nearly every address. */
export const WHOLE = 2000
const MIN_ROUTES = 0.8

/** What the requests of a report missed. Of fewer than two thousand only the common answers are asked for, as many in proportion. */
export function findUncovered({ sent, routes, reached, statuses }: MalformedReport): string[] {
  const all = new Set(ROUTES.map(({ method, path }) => `${method} ${path}`)).size
  const share = Math.min(1, sent / WHOLE)
  const missed = MIN_ANSWERS.map(([status, least]) => [status, Math.floor(least * share)] as const)
    .filter(([status, least]) => (statuses[status] ?? 0) < least)
    .map(([status, least]) => `${status} was answered ${statuses[status] ?? 0} times, not ${least}`)
  if (sent < WHOLE) return missed
  if (routes <= all * MIN_ROUTES) missed.push(`${routes} of ${all} addresses were among them`)
  if (reached <= all * MIN_ROUTES) missed.push(`${reached} of ${all} addresses answered below 400`)
  return missed
}
