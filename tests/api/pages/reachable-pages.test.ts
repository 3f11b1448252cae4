import { readdirSync } from 'node:fs'
import { insertLostCase } from '#tests/support/lost/open-case.ts'
import { assert, call, dog, member, seed, signInMember, startServer, suite } from '#tests/support/suites.ts'

/** Taps from the bottom bar within which a member reaches every page. */
const MAX_TAPS = 3

/** Pages that no link leads a member to, each with why. */
const UNLINKED: Record<string, string> = {
  '404': 'no page of its own',
  '500': 'no page of its own',
  baja: 'the link of a mail',
  'comunidad/[year]': 'linked once a year has been counted',
  deshacer: 'the link of a mail',
  'encontrados/[id]': 'the secret link of a finder',
  'login/codigo': 'signing in',
  'login/enlace': 'signing in',
  'login/index': 'signing in',
  'login/recuperar': 'signing in',
  'me-falta': 'the link that a member sends',
  'mensajes/[threadId]': 'of who has a conversation',
  'mensajes/confirmar': 'the link of a mail',
  'no-he-sido-yo': 'the link of a mail',
  'p/[code]': 'the short link of a poster',
  'perro/[id]/opiniones': 'of a dog whose breed is asked about',
  'perro/[...id]': 'the address of a code; the dog’s page is its canonical one',
  'privacidad/miembros': 'what members are sent at /privacidad',
  recuperar: 'of an account that is being deleted',
  'reto/ronda/[ronda]/index': 'begun by a form',
  'sin-conexion': 'shown by the service worker',
  'sin-conexion/visto': 'shown by the service worker',
  'terminos/miembros': 'what members are sent at /terminos',
}

/** Rewrites of the home screen: the page by its query. */
const REWRITES: Record<string, string> = {
  'tab=mine': 'perros/mias',
  'tab=following': 'perros/siguiendo',
  'view=map': 'perros/mapa',
}

const routes = readdirSync('src/pages', { recursive: true })
  .map(String)
  .filter((file) => file.endsWith('.astro') && !/^(admin|api|fragments)\b/.test(file))
  .map((file) => file.slice(0, -'.astro'.length))
const patterns = routes
  .map((route) => {
    const path = `/${route}`.replace(/\/index$/, '') || '/'
    const source = path.replace(/\[\.\.\.\w+\]/g, '.+').replace(/\[\w+\]/g, '[^/]+')
    return { route, parameters: route.split('[').length, pattern: new RegExp(`^${source}$`) }
  })
  .sort((a, b) => a.parameters - b.parameters || Number(a.route.includes('...')) - Number(b.route.includes('...')))

function routeOf({ pathname, search }: URL): string | undefined {
  const rewrite =
    pathname === '/' || pathname === '/perros' ? Object.keys(REWRITES).find((q) => search.includes(q)) : null
  return rewrite ? REWRITES[rewrite] : patterns.find(({ pattern }) => pattern.test(pathname))?.route
}

/** The links of a page; those in a closed menu or fold cost a tap more. */
function linksOf(html: string): { href: string; taps: number }[] {
  const folded = [...html.matchAll(/<details(?![^>]*\sopen\b)[^>]*>.*?<\/details>|<aside class="side".*?<\/aside>/gs)]
  return [...html.matchAll(/<a\s[^>]*?href="([^"]+)"/g)].map(({ 1: href, index }) => ({
    href: href!.replaceAll('&amp;', '&'),
    taps: folded.some((part) => index > part.index && index < part.index + part[0].length) ? 2 : 1,
  }))
}

const reach = suite('api/pages/reachable-pages')

reach('a member reaches every page in at most three taps from the bar', async () => {
  await using server = await startServer()
  const ana = await signInMember(server)
  await seed(server.db, member({ alias: 'Luis' }), dog({ name: 'Kira', breed: 'Teckel' }))
  const [toby] = await seed(server.db, dog({ name: 'Toby', breed: 'Beagle', owner_id: ana.id }))
  await insertLostCase(server.db, toby)
  // Where the app opens: the bar and, behind its button, the drawer are on every page.
  const taps = new Map<string, number>([['/', 0]])
  const reached = new Map<string, number>()
  /** Pages of one route lead to the same kinds of pages: some of each are enough. */
  const visits = new Map<string, number>()
  for (let distance = 0; distance <= MAX_TAPS; distance++)
    // Redirects that are found meanwhile are visited too.
    for (const [path, at] of taps) {
      if (at !== distance) continue
      const route = routeOf(new URL(path, server.url))
      if (!route) continue
      const visited = visits.get(route) ?? 0
      if (visited >= 3) continue
      visits.set(route, visited + 1)
      const { status, body, headers } = await call(server, path, { cookie: ana.cookie })
      const location = headers.get('location')
      if (location) {
        const to = new URL(location, server.url)
        if (!taps.has(to.pathname + to.search)) taps.set(to.pathname + to.search, distance)
      }
      if (status !== 200) continue
      reached.set(route, Math.min(distance, reached.get(route) ?? distance))
      if (distance === MAX_TAPS || typeof body !== 'string') continue
      for (const link of linksOf(body)) {
        const { pathname, search, origin } = new URL(link.href, server.url + path)
        const target = pathname + search
        const after = distance + link.taps
        if (origin === new URL(server.url).origin && after < (taps.get(target) ?? MAX_TAPS + 1)) taps.set(target, after)
      }
    }
  const missing = routes.filter((route) => !reached.has(route) && !(route in UNLINKED))
  assert.equal(missing, [], 'pages that no link leads to')
  const listed = Object.keys(UNLINKED).filter((route) => reached.has(route) || !routes.includes(route))
  assert.equal(listed, [], 'reached, or gone: take them off the list')
})
