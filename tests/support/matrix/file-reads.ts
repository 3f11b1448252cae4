import { everyone, NO_ROLES, ROLES } from './roles.ts'
import { type Matrix, read, visibleTo } from './rows.ts'
import type { MatrixWorld } from './world.ts'

const email = (w: MatrixWorld) => w.owner.email!
const ownerAlias = (w: MatrixWorld) => w.owner.alias
const heldName = (w: MatrixWorld) => w.held.name

const FILES = [
  '/breed-mappings.json',
  '/reverse-breed-mappings.json',
  '/purina-images.json',
  '/razas-final.json',
  '/zonas.json',
]

/** What search engines and feed readers ask for. This server has no SITE_URL: without it there are only the rules. */
const crawlerReads: Matrix = {
  'GET /robots.txt': read(everyone(200), '/robots.txt'),
  'GET /sitemap.xml': read(everyone(404), '/sitemap.xml'),
  'GET /sitemap/[part].xml': read(everyone(404), '/sitemap/perros.xml'),
  'GET /novedades.atom': read(everyone(404), '/novedades.atom'),
  'GET /perdidos.atom': read(everyone(404), '/perdidos.atom'),
  'GET /razas/[raza]/novedades.atom': read(everyone(404), '/razas/beagle/novedades.atom'),
}

/** What was made at the build, or is the operator's. */
const fileReads: Matrix = {
  ...Object.fromEntries(FILES.map((path) => [`GET ${path}`, read(everyone(200), path)])),
  // Only where the operator has put one.
  'GET /dogs-geo.json': read(everyone(404), '/dogs-geo.json'),
  'GET /retratos/[name].svg': read(everyone(200), '/retratos/beagle.svg'),
  'GET /dibujos/[name].svg': read(everyone(404), '/dibujos/no-existe.svg'),
  // Without one of the operator's, the way to the portrait.
  'GET /retratos/foto/[slug]': read(everyone(302), '/retratos/foto/beagle'),
  // Drawn on demand; nothing of what is out of sight.
  'GET /tarjetas/[kind]/[name].jpg': read(everyone(200), (w) => `/tarjetas/perro/${w.dog.id}.jpg`),
  'GET /tarjetas/[kind]/[name].jpg · out of sight': read(everyone(404), (w) => `/tarjetas/perro/${w.held.id}.jpg`),
  'GET /healthz': read(everyone(200), '/healthz'),
  'GET /healthz/live': read(everyone(200), '/healthz/live'),
  'GET /api/openapi.json': read(everyone(200), '/api/openapi.json', visibleTo(email, NO_ROLES)),
  'GET /datos/perros.csv': read(
    everyone(200),
    '/datos/perros.csv',
    visibleTo((w) => w.dog.name, ROLES),
    visibleTo(heldName, NO_ROLES),
    visibleTo(email, NO_ROLES),
    visibleTo(ownerAlias, NO_ROLES),
  ),
  'GET /datos/perros.geojson': read(
    everyone(200),
    '/datos/perros.geojson',
    visibleTo((w) => w.dog.name, ROLES),
    visibleTo(heldName, NO_ROLES),
    visibleTo(email, NO_ROLES),
    visibleTo(ownerAlias, NO_ROLES),
  ),
  // Where nobody said what the site's address is.
  'GET /opensearch.xml': read(everyone(404), '/opensearch.xml'),
}

/** What is read as a file. */
export const FILE_READS: Matrix = { ...crawlerReads, ...fileReads }
