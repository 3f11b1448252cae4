import { CHIP_REGISTRIES } from '#features/lost/first-day/registries.ts'
import { answered, assert, call, serverSuite, type TestServer } from '#tests/support/suites.ts'

const SITE_URL = 'https://perrario.example'
const PATH = '/perdidos/primeras-24-horas'

const firstDay = serverSuite('api/lost/first-day', { SITE_URL })

const read = async (server: TestServer) => {
  const { body } = await answered(200, call(server, PATH))
  return String(body)
}

firstDay('it says whom to call, what the law asks for and that nobody pays in advance', async ({ server }) => {
  const html = await read(server)
  for (const text of [
    '<b>112</b>',
    '<b>092</b>',
    '<b>062</b>',
    'artículo 24.2',
    'Ley 7/2023, de 28 de marzo',
    'https://www.boe.es/buscar/act.php?id=BOE-A-2023-7936',
    '27 de noviembre de 2026',
    'Nunca pagues por adelantado',
    'https://www.reiac.es',
    ...CHIP_REGISTRIES.map(({ url }) => url),
  ])
    assert.ok(html.includes(text), text)
  for (const href of ['/perdidos', '/perfil/avisos', '/?tab=mine']) assert.ok(html.includes(`href="${href}"`), href)
})

firstDay('it loads nothing from elsewhere: other sites are plain links', async ({ server }) => {
  const html = await read(server)
  const elsewhere = [...html.matchAll(/<([a-z]+)\b[^>]*?\s(?:href|src|srcset|action|poster)="(https?:[^"]*)"/g)]
    .filter(([, , url]) => !url!.startsWith(SITE_URL))
    .map(([, tag]) => tag)
  assert.equal([...new Set(elsewhere)], ['a'])
  assert.not.match(html, 'target="_blank"')
})

firstDay('search engines find it', async ({ server }) => {
  const html = await read(server)
  assert.match(html, `<link rel="canonical" href="${SITE_URL}${PATH}">`)
  assert.not.match(html, 'noindex')
  assert.match(String((await call(server, '/sitemap/paginas.xml')).body), `<loc>${SITE_URL}${PATH}</loc>`)
})
