import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '#tests/support/sources.ts'
import { assert, serverSuite, type TestServer } from '#tests/support/suites.ts'

const built = serverSuite('api/pages/legal')
let server: TestServer
built.before((t) => void ({ server } = t))

const page = async (path: string) => (await fetch(server.url + path)).text()
const sections = (html: string) =>
  [...html.matchAll(/<h2[^>]*>\s*<span class="num"[^>]*>\s*\d+\s*<\/span>\s*([^<]+?)\s*<\/h2>/g)].map((m) => m[1])

built('the terms have their eight sections', async () => {
  assert.equal(sections(await page('/terminos')), [
    'Aceptación de los términos',
    'Descripción del servicio',
    'Cuenta de usuario',
    'Contenido del usuario',
    'Conducta',
    'Privacidad',
    'Modificaciones',
    'Contacto',
  ])
})

built('the privacy policy has its nine sections', async () => {
  assert.equal(sections(await page('/privacidad')), [
    'Información que recogemos',
    'Uso de la información',
    'Con quién la compartimos',
    'Seguridad',
    'Cookies',
    'Tus derechos',
    'Conservación',
    'Cambios en esta política',
    'Contacto',
  ])
})

built('both are files of the build, without React and without absolute addresses', async () => {
  for (const name of ['terminos', 'privacidad']) {
    const html = readFileSync(join(root, 'dist/client', name, 'index.html'), 'utf8')
    assert.not.match(html, /(href|src|content)="https?:/)
    // The add-dog island, which every page has, fetches React at its first click and not before.
    for (const [island] of html.matchAll(/<astro-island[^>]*>/g)) assert.match(island, 'client="demand"')
    for (const [, src] of html.matchAll(/<(?:script[^>]+src|link[^>]+modulepreload[^>]+href)="([^"]+)"/g))
      assert.not.match(readFileSync(join(root, 'dist/client', src!), 'utf8'), /react\.|hydrateRoot/i, src)
  }
})

built('the dialogs of the sign-in screen have the same text as the pages', async () => {
  const login = await page('/login')
  for (const path of ['/terminos', '/privacidad']) {
    const paragraphs = [...(await page(path)).matchAll(/<p>([^<]{40,})<\/p>/g)].map((m) => m[1]!)
    assert.ok(paragraphs.length > 5)
    for (const paragraph of paragraphs) assert.ok(login.includes(paragraph), paragraph)
  }
})

function* files(folder: string): Generator<string> {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    if (statSync(path).isDirectory()) yield* files(path)
    else if (/\.(m?js|html|css)$/.test(name)) yield path
  }
}

built('the build contains nothing of the development server’s fake user', () => {
  const traces = [...files(join(root, 'dist'))].filter((path) =>
    /dev@perrario\.test|api\/auth\/dev\b|dev-toggle|DEV [●○]/.test(readFileSync(path, 'utf8')),
  )
  assert.equal(traces, [])
})
