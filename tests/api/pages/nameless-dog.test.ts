import { CARD_TEXTS } from '#features/share/share.ts'
import { paths } from '#lib/paths.ts'
import { assert, assertNone, call, dog, type Dog, seed, serverSuite, signIn } from '#tests/support/suites.ts'

const nameless = serverSuite<{ own: Dog; found: Dog; cookie: string }>('api/pages/nameless-dog')

nameless.before(async (t) => {
  const luis = await signIn(t.server, 'luis@ejemplo.es')
  const eva = await signIn(t.server, 'eva@ejemplo.es')
  t.cookie = luis.cookie
  ;[t.own, t.found] = await seed(
    t.server.db,
    dog({ name: '???', breed: 'Beagle', zone: 'Jaca', owner_id: luis.id }),
    dog({ name: '???', breed: 'Galgo español', zone: 'Soria', discoverer_id: luis.id }),
  )
  const asked = await call(t.server, `/api/dogs/${t.found.id}/ownership`, { method: 'POST', cookie: eva.cookie })
  assert.ok(asked.status < 300, `${asked.status}`)
})

/** What a page says: each text and each attribute by itself, without scripts and styles. */
function sentencesOf(html: string): string[] {
  const markup = html.replace(/<(script|style)\b.*?<\/\1>/gs, '').replace(/<!--.*?-->/gs, '')
  const attributes = [...markup.matchAll(/\b(?:content|title|aria-label|alt)="([^"]*)"/g)].map(([, text]) => text!)
  return [...attributes, ...markup.split(/<[^>]*>/)].map((text) => text.replace(/\s+/g, ' ').trim()).filter(Boolean)
}

/** The name amid a sentence, an article that has not contracted, or the name as it is stored. */
const FAULT = /\p{Ll} Sin nombre|(?<!\p{L})(?:a|de) el perro sin nombre|\?\?\?/u

nameless('every sentence says «el perro sin nombre», and the name alone is «Sin nombre»', async (t) => {
  const { server, own, found, cookie } = t
  const pages = [
    '/',
    '/perros',
    '/razas/beagle',
    '/perfil',
    '/buscar?q=sin+nombre',
    ...[own, found].flatMap(({ id, path }) => [
      path,
      `/perro/${id}/cartel`,
      `/perro/${id}/eliminar`,
      paths.report('perro', id),
    ]),
    paths.report('foto', own.photo_url),
  ]
  const all: string[] = []
  for (const page of pages)
    for (const headers of [{}, { Cookie: cookie }]) {
      const { body } = await call(server, page, { headers })
      const sentences = sentencesOf(String(body ?? ''))
      all.push(...sentences)
      assertNone(sentences, (text) => FAULT.test(text), page)
    }
  for (const expected of [
    'Sin nombre',
    'Vive con el perro sin nombre',
    'Cartel del perro sin nombre',
    'Conoce al perro sin nombre',
    '¿Eliminar al perro sin nombre?',
    '¿De quién es el perro sin nombre?',
    'Denunciar el perro sin nombre',
    'Denunciar esta foto del perro sin nombre',
  ])
    assert.ok(all.includes(expected), expected)
  assert.is(CARD_TEXTS.alt.perro('???', 'Beagle'), 'Cromo del perro sin nombre, Beagle, en Perrario')
})
