import { allBreeds, breedBySlug, breedNames } from '#features/breeds/catalogue.server.ts'
import { profileOf } from '#features/breeds/profile/profiles.server.ts'
import {
  albumHead,
  breedHead,
  communityHead,
  dogHead,
  dogsHead,
  homeHead,
  mapHead,
  memberHead,
} from '#features/seo/heads.ts'
import { jsonLdText } from '#features/seo/schema.ts'
import { assert, dbSuite, dog, type Dog, member, seed } from '#tests/support/suites.ts'

const heads = dbSuite('unit/seo/heads')

const SITE = 'https://perrario.example'
const at = (text = '') => new URLSearchParams(text)
const ANA = { id: '3f0a7a52-9d53-4a8e-8c39-8a1f7a0c2b11', alias: 'Ana', created_at: Date.UTC(2026, 2, 1), dogs: 2 }
const BEAGLE = { ...breedBySlug('beagle')!, slug: 'beagle', descripcion: 'Un sabueso pequeño.' }

heads('the list is one page, whatever its parameters', () => {
  assert.is(homeHead(at()).canonical, '/')
  assert.is(dogsHead(at('sort=votes-desc')).canonical, '/')
  assert.is(dogsHead(at('breed=beagle&cursor=x')).canonical, '/')
  assert.is(mapHead(at('view=map&lat=40')).canonical, '/perros?view=map')
})

heads('parts of a page are noindex, and other orders have its canonical address', () => {
  const robots: Record<string, string | undefined> = {
    '': homeHead(at()).robots,
    'sort=votes-desc': homeHead(at('sort=votes-desc')).robots,
    'breed=beagle': homeHead(at('breed=beagle')).robots,
    'size=mini': dogsHead(at('size=mini')).robots,
    'cursor=x': dogsHead(at('cursor=x')).robots,
    'view=map&breed=beagle': mapHead(at('view=map&breed=beagle')).robots,
    'view=map&lat=40': mapHead(at('view=map&lat=40')).robots,
    'orden=estado&vista=lista': albumHead(9, at('orden=estado&vista=lista')).robots,
    'buscar=galgo': albumHead(9, at('buscar=galgo')).robots,
    'pagina=2': albumHead(9, at('pagina=2')).robots,
    'modo=mias': albumHead(9, at('modo=mias')).robots,
    'community cursor': communityHead(at('cursor=x')).robots,
    'member tab': memberHead(ANA, at('tab=likes')).robots,
    'member cursor': memberHead(ANA, at('cursor=x')).robots,
    'member without dogs': memberHead({ ...ANA, dogs: 0 }, at()).robots,
    'breed after the newest': breedHead(BEAGLE, undefined, true).robots,
    breed: breedHead(BEAGLE, undefined, false).robots,
  }
  assert.equal(
    Object.keys(robots).filter((name) => robots[name] === undefined),
    ['', 'sort=votes-desc', 'view=map&lat=40', 'orden=estado&vista=lista', 'member tab', 'breed'],
  )
  assert.equal(new Set(Object.values(robots)), new Set([undefined, 'noindex']))
})

heads('no two pages have the same title or description', async ({ db }) => {
  const dogs = (await seed(
    db,
    member(),
    ...['Toby', 'Toby', 'Tóby', 'Toby 2', 'Toby 2', '???', 'Sin nombre', 'Toby!', 'Toby'].map((name) => dog({ name })),
    dog({ name: 'Toby', breed: 'Teckel' }),
    dog({ name: 'Toby', breed: 'Mestizo' }),
    dog({ name: 'Toby', breed: 'Mezcla de galgo' }),
  )) as Dog[]
  const pages = [
    ...dogs.slice(1).map((each) => dogHead(each, 'Beagle', null)),
    ...allBreeds.map((breed, i) =>
      breedHead({ ...breed, slug: breedNames[i]!.slug }, profileOf(breedNames[i]!.slug), false),
    ),
    ...['Ana', 'Beagle', 'Comunidad', 'Toby'].map((alias) => memberHead({ ...ANA, alias }, at())),
    homeHead(at()),
    mapHead(at()),
    albumHead(allBreeds.length, at()),
    communityHead(at()),
  ]
  const twice = (texts: string[]) => texts.filter((text, i) => texts.indexOf(text) !== i)
  assert.ok(pages.length > 300)
  assert.equal(twice(pages.map(({ title }) => title)), [])
  assert.equal(twice(pages.map(({ description }) => description)), [])
  assert.equal(twice(pages.map(({ canonical }) => canonical).slice(0, 12)), [])
  for (const { title, description } of pages) {
    assert.match(title, /Perrario/)
    assert.ok(description.length > 20, description)
  }
})

heads('titles and descriptions follow their patterns', () => {
  assert.is(breedHead(BEAGLE, undefined, false).title, 'Beagle: carácter, tamaño, cuidados y fotos | Perrario')
  const named = { summary: 'Un sabueso.', titleName: 'Beagle o sabueso inglés' }
  assert.match(breedHead(BEAGLE, named, false).title, /^Beagle o sabueso inglés: carácter/)
  assert.match(profileOf('lebrel-irlandes')!.titleName!, /lobero irlandés/)
  const described = (descripcion: string) => breedHead({ ...BEAGLE, descripcion }, undefined, false).description
  const words = 'Sabueso de campo, '
  assert.is(described(`${words.repeat(9)}y de casa.`), `${words.repeat(8)}Sabueso de…`)
  assert.is(described(`${words.repeat(8)}madrugador y cazador.`), `${words.repeat(7)}Sabueso de campo, madrugador…`)
  assert.is(described(`${words.repeat(8)}extraordinario y cazador.`), `${words.repeat(7)}Sabueso de campo…`)
  assert.is(breedHead(BEAGLE, undefined, false).description, 'Un sabueso pequeño.')
  assert.is(memberHead(ANA, at()).title, 'Perfil de Ana | Perrario')
  assert.is(memberHead(ANA, at()).description, 'Los perros, las razas y los likes de Ana en Perrario.')
  assert.equal(breedHead(BEAGLE, undefined, false).feed, {
    title: 'Beagle: perros nuevos | Perrario',
    href: '/razas/beagle/novedades.atom',
  })
  assert.equal(homeHead(at()).feed, { title: 'Perros nuevos | Perrario', href: '/novedades.atom' })
})

heads('each kind of page has its structured data', async ({ db }) => {
  const [, toby] = await seed(
    db,
    member(),
    dog({ name: 'Toby', breed: 'Mezcla de galgo', created_at: 1_772_357_400_000 }),
  )
  const uploader = { id: ANA.id, alias: 'Ana', emoji: '🐶', verified: false }
  const crumb = (position: number, name: string, path: string) => ({
    '@type': 'ListItem',
    position,
    name,
    item: SITE + path,
  })
  const way = (...more: unknown[]) => ({
    '@type': 'BreadcrumbList',
    itemListElement: [crumb(1, 'Inicio', '/'), ...more],
  })
  const quantity = (name: string, minValue: number, maxValue: number, unitCode: string) => ({
    '@type': 'PropertyValue',
    name,
    minValue,
    maxValue,
    unitCode,
  })
  const ana = { '@type': 'Person', name: 'Ana', url: `${SITE}/usuario/${ANA.id}` }
  const breeds = crumb(2, 'Razas', '/razas')
  assert.equal(homeHead(at()).schema!(SITE), {
    '@context': 'https://schema.org',
    '@type': 'WebSite',
    name: 'Perrario',
    alternateName: 'Perrario, el álbum de los perros',
    url: `${SITE}/`,
    inLanguage: 'es',
    potentialAction: {
      '@type': 'SearchAction',
      target: { '@type': 'EntryPoint', urlTemplate: `${SITE}/buscar?q={search_term_string}` },
      'query-input': 'required name=search_term_string',
    },
  })
  assert.equal(albumHead(9, at()).schema!(SITE), { '@context': 'https://schema.org', ...way(breeds) })
  assert.equal(breedHead(BEAGLE, undefined, false).schema!(SITE), {
    '@context': 'https://schema.org',
    '@graph': [
      way(breeds, crumb(3, 'Beagle', '/razas/beagle')),
      {
        '@type': 'Article',
        headline: 'Beagle: carácter, tamaño, cuidados y fotos',
        inLanguage: 'es',
        mainEntityOfPage: `${SITE}/razas/beagle`,
        about: {
          '@type': ['DefinedTerm', 'Thing'],
          name: 'Beagle',
          termCode: 'FCI 161',
          url: `${SITE}/razas/beagle`,
          additionalProperty: [
            { '@type': 'PropertyValue', name: 'País de origen', value: 'Reino Unido' },
            quantity('Altura a la cruz', BEAGLE.altura_cm_min, BEAGLE.altura_cm_max, 'CMT'),
            quantity('Peso', BEAGLE.peso_kg_min, BEAGLE.peso_kg_max, 'KGM'),
            quantity('Esperanza de vida', BEAGLE.esperanza_vida_min, BEAGLE.esperanza_vida_max, 'ANN'),
          ],
        },
      },
    ],
  })
  const path = '/mestizo/toby'
  const dogWay = way(breeds, crumb(3, 'Mestizo', '/razas/mestizo'), crumb(4, 'Toby, Mezcla de galgo', path))
  const image = {
    '@type': 'ImageObject',
    contentUrl: SITE + toby.photo_url,
    caption: 'Toby, Mezcla de galgo',
    width: 800,
    height: 600,
    representativeOfPage: true,
    uploadDate: '2026-03-01T09:30:00Z',
  }
  assert.equal(dogHead(toby, 'Mestizo', uploader).schema!(SITE), {
    '@context': 'https://schema.org',
    '@graph': [dogWay, { ...image, author: ana, creditText: 'Ana' }],
  })
  assert.equal(dogHead(toby, 'Mestizo', null).schema!(SITE)['@graph'], [dogWay, image])
  assert.equal(memberHead(ANA, at()).schema!(SITE)['@graph'], [
    way(crumb(2, 'Comunidad', '/comunidad'), crumb(3, 'Ana', `/usuario/${ANA.id}`)),
    {
      '@type': 'ProfilePage',
      url: ana.url,
      dateCreated: '2026-03-01T00:00:00Z',
      mainEntity: { ...ana, identifier: ANA.id },
    },
  ])
})

heads('no name closes the script element', () => {
  const data = memberHead({ ...ANA, alias: '</script><!--<script>' }, at()).schema!(SITE)
  const text = jsonLdText(data)
  assert.not.match(text, /</)
  assert.equal(JSON.parse(text), data)
})
