import { answered, assert, assertMatches, call, serverSuite } from '#tests/support/suites.ts'

const pages = serverSuite('api/guide/pages', { SITE_URL: 'https://perrario.example' })

/** The text that a reader sees. */
const textOf = (html: string) =>
  html
    .replaceAll(/<(script|style|svg|datalist)[^]*?<\/\1>/g, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')

pages('the guide leads to every list, and every list to its breeds', async ({ server }) => {
  const { body } = await answered(200, call(server, '/razas/guia'))
  const lists = [...body.matchAll(/href="(\/razas\/(?:para|grupo|tamano|pais)\/[^"]+)"/g)].map(([, path]) => path!)
  assert.ok(lists.length > 70)
  const { body: sitemap } = await call(server, '/sitemap/paginas.xml')
  assert.ok(sitemap.includes('https://perrario.example/reto<'))
  assert.ok(sitemap.includes('https://perrario.example/reto/ronda<'))
  for (const path of lists) {
    assert.ok(sitemap.includes(`https://perrario.example${path}<`), path)
    const list = await call(server, path)
    assert.is(list.status, 200, path)
    assert.match(list.body, /<a href="\/razas\/[a-z0-9-]+"/, path)
    assert.ok(list.body.includes(`<link rel="canonical" href="https://perrario.example${path}"`), path)
  }
})

pages('a breed’s page shows its bars, sections, sheet and lists', async ({ server }) => {
  const { body } = await call(server, '/razas/beagle')
  const text = textOf(body)
  for (const part of [
    'Carácter y convivencia',
    'Salud',
    'Cuidados',
    'Historia',
    'Ficha',
    'N.º 161 de la FCI',
    '5 de 5:',
  ])
    assert.ok(text.includes(part), part)
  for (const path of ['/razas/grupo/6', '/razas/pais/reino-unido', '/razas/comparar?a=beagle'])
    assert.ok(body.includes(`href="${path}"`), path)
  assert.not.match(text, /potencialmente peligroso/)
  const { body: rottweiler } = await call(server, '/razas/rottweiler')
  assertMatches(textOf(rottweiler), /En España: perro potencialmente peligroso/, /Real Decreto 287\/2002/)
  assert.match(textOf((await call(server, '/razas/akita-americano')).body), /las autoridades suelen incluirlo/)
})

pages(
  'breeds that only communities list have a note without a badge, and the mixed breed one on crosses',
  async ({ server }) => {
    const read = async (slug: string) => (await call(server, `/razas/${slug}`)).body
    const doberman = await read('doberman')
    assert.not.match(doberman, /law-badge"/)
    assert.match(textOf(doberman), /Andalucía, Cataluña, la Comunidad Valenciana y Galicia la añaden a su lista/)
    assert.match(doberman, /href="https:\/\/www\.boe\.es\/buscar\/act\.php\?id=BOE-A-1999-18004"/)
    assert.match(textOf(await read('mastin-tibetano')), /pero Galicia la añade a su lista/)
    const mixed = await read('mestizo')
    assert.not.match(mixed, /law-badge"/)
    assert.match(textOf(mixed), /ocho razas de perros potencialmente peligrosos y sus cruces/)
    const { body: compared } = await call(server, '/razas/comparar?a=doberman&b=beagle')
    assert.match(textOf(compared), /Potencialmente peligroso en Andalucía, .* Sin reglas propias/)
  },
)

pages('a list that does not exist says so', async ({ server }) => {
  for (const path of [
    '/razas/grupo/11',
    '/razas/grupo/0',
    '/razas/pais/atlantida',
    '/razas/nada/1',
    '/razas/para/x-y',
  ]) {
    const { status, body } = await call(server, path)
    assert.is(status, 404, path)
    assert.match(textOf(body), /Esa lista no existe/, path)
  }
})

pages('a comparison answers with one, two, four, repeated and unknown breeds', async ({ server }) => {
  const compare = async (query: string) => textOf((await call(server, `/razas/comparar${query}`)).body)
  assert.match(await compare(''), /Elige dos o tres/)
  assert.match(await compare('?a=beagle'), /Falta otra raza/)
  const two = await compare('?a=beagle&b=Labrador Retriever')
  assert.match(two, /Beagle .* Labrador Retriever .* Peso/)
  assert.not.match(two, /Caben tres/)
  assert.match(await compare('?a=beagle&b=teckel&c=boxer&d=pug'), /Caben tres razas/)
  assert.match(await compare('?a=beagle&b=beagle'), /la misma raza más de una vez/)
  assert.match(await compare('?a=beagle&b=xyzqwv'), /No conocemos esa raza/)
  assert.match(await compare('?a=beagle&b=podemco'), /Quieres decir|Podenco/)
  assert.not.match(await compare('?a=%3Cscript%3Ealert(1)'), /alert\(1\)<\/|undefined/)
  for (const query of [`?a=${'x'.repeat(5000)}`, '?a=&b=&c=', '?a=%00&b=%F0%9F%90%B6', '?a[]=x'])
    assert.is((await call(server, `/razas/comparar${query}`)).status, 200, query)
})

pages('the quiz answers, and stores nothing', async ({ server }) => {
  const { body: form } = await call(server, '/razas/que-raza')
  assert.match(form, /<form[^>]*method="get"/)
  const { body, headers } = await answered(200, call(server, '/razas/que-raza?casa=piso&tiempo=poco&clima=calor'))
  assert.is((body.match(/class="panel match"/g) ?? []).length, 5)
  assert.match(textOf(body), /mestizo adulto de una protectora/)
  assert.match(form, /action="\/razas\/que-raza#resultado"/)
  assert.match(body, /<h2 id="resultado" tabindex="-1">/)
  for (const query of ['casa=piso', 'casa=piso&tiempo=poco']) {
    const { body: tooFew } = await call(server, `/razas/que-raza?${query}&ver=si`)
    assert.not.match(tooFew, /class="panel match"/)
    assert.match(textOf(tooFew), /Responde al menos a 3 preguntas/)
  }
  assert.match((await call(server, '/razas/que-raza?ver=si')).body, /id="resultado" tabindex="-1"/)
  assert.match(body, /<meta name="robots" content="noindex/)
  assert.not.ok(headers.get('set-cookie'))
  assert.is((await call(server, '/razas/que-raza?casa=castillo&x=1')).status, 200)
})
