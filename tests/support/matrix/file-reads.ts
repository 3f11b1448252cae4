import { everyone } from './roles.ts'
import {
  ALIAS_TO_NOBODY,
  DOG_TO_ALL,
  EMAIL_TO_NOBODY,
  HELD_TO_NOBODY,
  matrix,
  type Matrix,
  read,
  readAt,
} from './rows.ts'

const FILES = [
  '/breed-mappings.json',
  '/reverse-breed-mappings.json',
  '/purina-images.json',
  '/razas-final.json',
  '/zonas.json',
]

/** What search engines and feed readers ask for. This server has no SITE_URL: without it there are only the rules. */
const crawlerReads = matrix({
  'GET /robots.txt': read(everyone(200)),
  'GET /sitemap.xml': read(everyone(404)),
  'GET /sitemap/[part].xml': read(everyone(404)),
  'GET /novedades.atom': read(everyone(404)),
  'GET /perdidos.atom': read(everyone(404)),
  'GET /razas/[raza]/novedades.atom': read(everyone(404)),
})

/** What was made at the build, or is the operator's. */
const fileReads = matrix({
  ...Object.fromEntries(FILES.map((path) => [`GET ${path}`, readAt(path, everyone(200))])),
  // Only where the operator has put one.
  'GET /dogs-geo.json': read(everyone(404)),
  'GET /retratos/[name].svg': read(everyone(200)),
  'GET /dibujos/[name].svg': readAt('/dibujos/no-existe.svg', everyone(404)),
  // Without one of the operator's, the way to the portrait.
  'GET /retratos/foto/[slug]': read(everyone(302)),
  // Drawn on demand; nothing of what is out of sight.
  'GET /tarjetas/[kind]/[name].jpg': read(everyone(200)),
  'GET /tarjetas/[kind]/[name].jpg · out of sight': read(everyone(404)),
  'GET /healthz': read(everyone(200)),
  'GET /healthz/live': read(everyone(200)),
  'GET /api/openapi.json': read(everyone(200), EMAIL_TO_NOBODY),
  'GET /datos/perros.csv': read(everyone(200), DOG_TO_ALL, HELD_TO_NOBODY, EMAIL_TO_NOBODY, ALIAS_TO_NOBODY),
  'GET /datos/perros.geojson': read(everyone(200), DOG_TO_ALL, HELD_TO_NOBODY, EMAIL_TO_NOBODY, ALIAS_TO_NOBODY),
  // Where nobody said what the site's address is.
  'GET /opensearch.xml': read(everyone(404)),
})

/** What is read as a file. */
export const FILE_READS: Matrix = { ...crawlerReads, ...fileReads }
