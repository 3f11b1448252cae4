import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { totalBreeds } from '#features/breeds/catalogue.server.ts'
import { dog, member, seed, signIn } from '#tests/support/seed.ts'
import { answered, assert, assertNone, call, redirectOf, serverSuite } from '#tests/support/suites.ts'

const breeds = serverSuite('api/pages/breeds', { ADMIN_EMAIL: 'admin@ejemplo.es' })

breeds.before(async (t) => {
  await seed(
    t.server.db,
    member(),
    ...Array.from({ length: 10 }, (_, i) => dog({ breed: 'Beagle', created_at: i + 1, zone: 'Jaca' })),
  )
})

breeds('a breed’s page has all its content in HTML', async ({ server }) => {
  const { body } = await answered(200, call(server, '/razas/beagle'))
  for (const text of [
    '<title>Beagle: carácter, tamaño, cuidados y fotos | Perrario</title>',
    'Referencia',
    'Datos curiosos',
    'Perros de la comunidad',
    '10 perros',
    'Ver más',
    'Razas parecidas',
    'Volver',
  ])
    assert.ok(body.includes(text), text)
  assert.match(body, /href="\/razas"[^>]*>[\s\S]{0,400}Volver/)
  const tiles = [...body.matchAll(/<dt>([^<]+)<\/dt>/g)].map((match) => match[1])
  assert.equal(tiles.slice(0, 8), [
    'Peso',
    'Altura',
    'Vida',
    'Energía',
    'Temperamento',
    'Pelaje',
    'Origen',
    'Propósito',
  ])
})

breeds('the original name stands below another one only', async ({ server }) => {
  const originalOf = async (slug: string) =>
    /Original:\s*<span[^>]*>([^<]+)</.exec((await call(server, `/razas/${slug}`)).body)?.[1]
  assert.is(await originalOf('pastor-aleman'), 'Deutscher Schäferhund')
  assert.is(await originalOf('beagle'), undefined)
  assert.is(await originalOf('mestizo'), undefined)
})

breeds('links within the page lead the focus to what they name', async ({ server }) => {
  const { body: rottweiler } = await call(server, '/razas/rottweiler')
  const { body: continued } = await call(server, '/razas/beagle?desde=x')
  const focusable = (html: string, id: string) => new RegExp(`id="${id}" tabindex="-1"`).test(html)
  assert.match(rottweiler, 'href="#ley"')
  assert.ok(focusable(rottweiler, 'ley'))
  assert.ok(focusable(continued, 'perros'))
})

breeds('a breed’s page shows the album, the way to join it and the dogs before the long texts', async ({ server }) => {
  const { body } = await call(server, '/razas/rottweiler')
  const order = [
    'Perrario, el álbum de los perros</p>',
    '<h1>',
    'Referencia',
    '¿Tienes un Rottweiler? Pega su cromo',
    'En esta página',
    '<dt>Peso',
    'id="curiosos"',
    'id="comunidad"',
    'id="caracter-y-convivencia"',
    'id="salud"',
    'id="cuidados"',
    'id="historia"',
    'id="ley"',
    'id="ficha"',
  ].map((text) => [String(body).indexOf(text), text] as const)
  assertNone(order, ([at]) => at < 0)
  assert.equal(
    order.toSorted(([a], [b]) => a - b),
    order,
  )
  assert.match(body, /<a class="btn pri grow" href="\/#anadir-perro" data-add-dog[^>]* data-breed="Rottweiler"/)
  const main = /<main[\s\S]*<\/main>/.exec(body)![0]
  assert.is([...main.matchAll(/class="btn pri[ "]/g)].length, 1)
  const [, anchors] = /aria-label="En esta página"[^>]*>([\s\S]*?)<\/nav>/.exec(main)!
  for (const [, id] of anchors!.matchAll(/href="#([^"]+)"/g)) assert.match(main, new RegExp(`id="${id}" tabindex="-1"`))
})

breeds('bars of which much asks something of people are not green', async ({ server }) => {
  const { body } = await call(server, '/razas/beagle')
  const demanding = [...String(body).matchAll(/<dt>([^<]+)<\/dt>\s*<dd>(?:(?!<\/dd>)[\s\S])*class="bar v\d soft"/g)]
  assert.equal(
    demanding.map(([, label]) => label),
    ['Ladrido', 'Muda', 'Ejercicio'],
  )
})

breeds('a breed without dogs shows that', async ({ server }) => {
  const { body } = await call(server, '/razas/azawakh')
  assert.ok(body.includes('Todavía no has descubierto ningún perro de esta raza.'))
})

breeds('the photos are of the most liked dogs, also once a like changes which they are', async ({ server }) => {
  const [fan, ...dogs] = await seed(
    server.db,
    member({ alias: 'Fan' }),
    ...Array.from({ length: 6 }, (_, i) => dog({ name: `Foto ${i}`, breed: 'Teckel', created_at: i + 1 })),
  )
  const { cookie } = await signIn(server, fan.email!)
  const readNames = async () => {
    const { body } = await call(server, '/razas/teckel')
    return [...body.matchAll(/class="on-photo" href="[^"]+">\s*(Foto \d)/g)].map(([, name]) => name)
  }
  const before = await readNames()
  assert.is(before.length, 4)
  const hidden = dogs.find(({ name }) => !before.includes(name))!
  await call(server, `/api/dogs/${hidden.id}/like`, { method: 'PUT', cookie })
  assert.equal(await readNames(), [hidden.name, ...before.slice(0, 3)])
  await call(server, `/api/dogs/${hidden.id}/like`, { method: 'DELETE', cookie })
  assert.equal(await readNames(), before)
})

breeds('other spellings redirect permanently to the canonical address, with their query', async ({ server }) => {
  for (const path of [
    '/razas/Pastor-Aleman',
    '/razas/PASTOR%20ALEM%C3%81N',
    '/razas/pastor-alemna',
    '/razas/german-shepherd',
  ])
    for (const query of ['?a=1', '?b=2&desde=x', '', '?desde=y', '?']) {
      const { status, headers } = await call(server, path + query)
      const kept = query === '?' ? '' : query
      assert.equal([status, headers.get('location')], [301, `/razas/pastor-aleman${kept}`], path + query)
    }
})

breeds('an unknown breed is a 404 with its text and near matches', async ({ server }) => {
  const unknown = await answered(404, call(server, '/razas/unicornio'))
  assert.ok(unknown.body.includes('Raza no encontrada'))
  assert.match(
    unknown.body,
    /La raza (&quot;|"|&#34;)unicornio(&quot;|"|&#34;) no existe o no está disponible en la base de datos\./,
  )
  const persian = await answered(404, call(server, '/razas/gato-persa'))
  assert.ok(persian.body.includes('¿Buscabas una de estas?'))
  assert.ok(persian.body.includes('href="/razas/saluki"'))
  assert.ok((await answered(404, call(server, '/razas/pastor'))).body.includes('href="/razas/pastor-'))
})

breeds('a text that cannot name a breed is invalid and escaped', async ({ server }) => {
  assert.ok((await answered(404, call(server, '/razas/%21%21'))).body.includes('Error: Parámetro de raza inválido.'))
  const script = await call(server, `/razas/${encodeURIComponent('<script>alert(1)</script>perro')}`)
  assert.not.ok(String(script.body).includes('<script>alert(1)'))
})

breeds('the album works without script: modes, orders, views, search, pages', async ({ server }) => {
  const page = async (query: string): Promise<string> => (await call(server, `/razas${query}`)).body
  const first = await page('')
  for (const text of [
    'Colección de Razas',
    'La comunidad crece',
    `de ${totalBreeds} razas`,
    `${totalBreeds} razas encontradas`,
    'Páginas 1 y 2 de 38',
  ])
    assert.ok(first.includes(text), text)
  assert.match(first, /placeholder="Buscar razas\.\.\."/)
  assert.ok((await page('?buscar=beagle')).includes('2 razas encontradas'))
  assert.ok((await page('?buscar=affenpinscher')).includes('1 raza encontrada'))
  assert.ok((await page('?buscar=zzzz')).includes('No se encontró ninguna raza'))
  assert.match(await page('?orden=estado&vista=lista'), /class="panel lst ruled"[\s\S]{0,900}Beagle/)
  const mine = await page('?modo=mias')
  assert.ok(mine.includes('No has desbloqueado razas aún'))
  assert.ok(mine.includes('¡Añade perros para empezar tu colección!'))
})

breeds('a member sees their own album', async ({ server }) => {
  const ana = await signIn(server, 'ana@ejemplo.es')
  await seed(server.db, dog({ breed: 'Teckel', owner_id: ana.id, name: 'Lola' }))
  const { body } = await call(server, '/razas?modo=mias', { cookie: ana.cookie })
  assert.ok(body.includes('Ya tienes 1 raza en tu álbum'))
  assert.not.ok(body.includes('No has desbloqueado razas aún'))
})

breeds('the contract’s files are small, cacheable and without prose', async ({ server }) => {
  const razas = await call(server, '/razas-final.json?v=3')
  assert.is(razas.body.razas.length, totalBreeds)
  assert.equal(Object.keys(razas.body.razas[0]), ['id', 'nombre_castellano', 'imagen_purina'])
  assert.match(razas.headers.get('cache-control')!, /max-age=3600/)
  const again = await call(server, '/razas-final.json', { headers: { 'If-None-Match': razas.headers.get('etag')! } })
  assert.is(again.status, 304)
  assert.is((await call(server, '/purina-images.json')).body.beagle, '/retratos/beagle.svg')
  assert.type((await call(server, '/breed-mappings.json')).body.mappings, 'object')
  assert.type((await call(server, '/reverse-breed-mappings.json')).body.mappings, 'object')
})

breeds('portraits, silhouettes and drawings are files', async ({ server }) => {
  for (const path of ['/retratos/beagle.svg', '/retratos/beagle-silueta.svg', '/dibujos/beagle-altura.svg']) {
    const { status, headers, body } = await call(server, path)
    assert.equal([status, headers.get('content-type')], [200, 'image/svg+xml'], path)
    assert.match(headers.get('cache-control')!, /max-age=3600/)
    assert.match(body, /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"/)
  }
})

breeds('an operator’s photo is shown in its box; a broken one falls back to the portrait', async ({ server }) => {
  const folder = join(server.dataDir, 'razas')
  mkdirSync(folder, { recursive: true })
  const photo = await sharp({ create: { width: 1600, height: 1200, channels: 3, background: '#a73' } })
    .jpeg()
    .toBuffer()
  writeFileSync(join(folder, 'azawakh.jpg'), photo)
  writeFileSync(join(folder, 'basenji.png'), 'esto no es una foto')
  await server.restart()
  const { body } = await call(server, '/razas/azawakh')
  const [, src] = /src="(\/retratos\/foto\/azawakh\?t=breed[^"]+)"/.exec(body)!
  const picture = await fetch(server.url + src!.replaceAll('&#38;', '&').replaceAll('&amp;', '&'))
  assert.is(picture.headers.get('content-type'), 'image/webp')
  const { width, height } = await sharp(Buffer.from(await picture.arrayBuffer())).metadata()
  assert.equal([width, height], [1200, 1200])
  assert.equal(redirectOf(await call(server, '/retratos/foto/basenji?t=breed&v=1')), [302, '/retratos/basenji.svg'])
  assert.is((await call(server, '/retratos/foto/..%2F..%2Fperrario.db')).status, 404)
  assert.is((await call(server, '/razas/basenji')).status, 200)
})

const edit = (fields: Record<string, string>) =>
  new URLSearchParams({
    nombre_castellano: 'Beagle',
    nombre_original: 'Beagle',
    temperamento: 'alegre, tenaz, goloso',
    pelaje: 'corto, denso',
    pais_origen: 'Reino Unido',
    proposito_original: 'caza de liebre',
    ...fields,
  })

breeds('only the admin sees and may use the edit controls', async ({ server }) => {
  const admin = await signIn(server, 'admin@ejemplo.es')
  const ana = await signIn(server, 'ana@ejemplo.es')
  assert.ok((await call(server, '/razas/beagle', { cookie: admin.cookie })).body.includes('Editar raza'))
  assert.not.ok((await call(server, '/razas/beagle', { cookie: ana.cookie })).body.includes('Editar raza'))
  const post = (cookie?: string) => call(server, '/razas/beagle', { method: 'POST', cookie, body: edit({}) })
  assert.is((await post()).status, 401)
  assert.is((await post(ana.cookie)).status, 403)
  const foreign = await call(server, '/razas/beagle', {
    method: 'POST',
    cookie: admin.cookie,
    body: edit({}),
    headers: { Origin: 'https://otro.example' },
  })
  assert.is(foreign.status, 403)
})

breeds('a save appears at once, undo reverts it, and invalid input returns with its values', async ({ server }) => {
  const admin = await signIn(server, 'admin@ejemplo.es')
  const post = (fields: Record<string, string>) =>
    call(server, '/razas/beagle', { method: 'POST', cookie: admin.cookie, body: edit(fields) })
  const page = async (): Promise<string> => (await call(server, '/razas/beagle')).body
  assert.equal(redirectOf(await post({})), [303, '/razas/beagle?hecho=guardado#editar'])
  assert.ok((await page()).includes('Alegre, tenaz, goloso'))
  const bad = await answered(422, post({ pelaje: '', nombre_original: 'Bígel' }))
  assert.ok(bad.body.includes('Error al guardar los cambios'))
  assert.ok(bad.body.includes('Describe el pelaje.'))
  assert.ok(bad.body.includes('value="Bígel"'))
  assert.is((await post({ accion: 'deshacer' })).headers.get('location'), '/razas/beagle?hecho=deshecho#editar')
  assert.not.ok((await page()).includes('Alegre, tenaz, goloso'))
})
