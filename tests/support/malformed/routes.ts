import { listFiles, readSource } from '#tests/support/sources.ts'
import { VALID_FIELDS, type RouteFields } from './valid-fields.ts'

/** One address with one method, as the files of src/pages name them. */
export interface Route {
  method: string
  /** With the file's own brackets: `/api/dogs/[id]/like`. */
  path: string
  /** Right values, from which requests go wrong. */
  fields: RouteFields
}

const METHOD_PATTERN = /\b(GET|HEAD|POST|PUT|PATCH|DELETE|ALL)\b/g

/** Every address that src/pages answers, with every method it exports. */
function pageRoutes(): Route[] {
  return listFiles(['src/pages'], ['.astro', '.ts']).flatMap((file) => {
    const path = file
      .slice('src/pages'.length)
      .replace(/\.(astro|ts)$/, '')
      .replace(/\/index$/, '')
    const exported = file.endsWith('.ts')
      ? [...readSource(file).matchAll(/export (?:(?:const|function) [^\n]*|\{[^}]*\})/g)].flatMap(([line]) =>
          [...line.matchAll(METHOD_PATTERN)].map(([method]) => method),
        )
      : // Some pages leave their form to the feature's handler.
        /method === 'POST'/.test(readSource(file)) || VALID_FIELDS[`POST ${path || '/'}`]
        ? ['GET', 'POST']
        : ['GET']
    const methods = new Set(exported.length > 0 ? exported : ['GET'])
    return [...methods].map((method) => routeOf(method === 'ALL' ? 'POST' : method, path || '/'))
  })
}

/** What stands before Astro in src/app/pipeline.ts, or is a file of the build. */
const UNROUTED_PATHS = [
  '/_ipx/q_80,s_100x100{photo}',
  '{photo}',
  '/_astro/nada.js',
  '/api/events',
  '/sw.js',
  '/manifest.webmanifest',
  '/metrics',
  '/placeholder.svg',
  '/favicon.svg',
]

const routeOf = (method: string, path: string): Route => ({
  method,
  path,
  fields: VALID_FIELDS[`${method} ${path}`] ?? VALID_FIELDS[`any ${path}`] ?? {},
})

export const ROUTES: readonly Route[] = [...pageRoutes(), ...UNROUTED_PATHS.map((path) => routeOf('GET', path))]

/** Weighed: what takes a body has more to go wrong. */
export const WEIGHTED_ROUTES: readonly number[] = ROUTES.flatMap(({ method, path }, at) =>
  method === 'GET' ? (path.startsWith('/api/') ? [at, at] : [at]) : [at, at, at, at],
)
