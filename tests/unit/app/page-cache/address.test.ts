import { readdirSync } from 'node:fs'
import { NOT_FOUND_ADDRESSES, toPageAddress } from '#app/page-cache/addresses.ts'
import { RESERVED_SEGMENTS } from '#lib/http/reserved-segments.ts'
import { findActiveTab } from '#layouts/nav.ts'
import { SIDEBAR_COOKIE } from '#layouts/sidebar/sidebar.ts'
import { CLOSED_SIDEBAR_COOKIE } from '#app/page-cache/handler.ts'
import { assert, assertNone, suite } from '#tests/support/suites.ts'

const address = suite('unit/app/page-cache/address')

const ID = '3f0a7a52-9d53-4a8e-8c39-8a1f7a0c2b11'
const lookups = {
  hasDogPath: async (breed: string, slug: string) => `${breed}/${slug}` === 'beagle/toby',
  hasDog: async (id: string) => id === ID,
}
/** The address with its lookup done. */
async function at(url: string): Promise<string | null> {
  const found = toPageAddress(url)
  if (!found) return null
  return !found.dog || (await found.dog.isKnown(lookups)) ? found.address : found.dog.unknown
}

address('only addresses of dogs need a lookup', () => {
  for (const url of ['/', '/perros', '/razas/beagle', `/usuario/${ID}`, '/comunidad?cursor=x'])
    assert.is(toPageAddress(url)?.dog, undefined, url)
  for (const url of ['/beagle/toby', '/beagle/toby-1', `/perro/${ID}`, `/perro/${ID}/cartel?x=1`])
    assert.ok(toPageAddress(url)?.dog, url)
})

address(
  'unknown query parameters lead to the same page; parameters that a page reads are part of its key',
  async () => {
    assert.is(await at('/perros'), '/perros')
    assert.is(await at('/perros?utm_source=x&fbclid=1'), '/perros')
    assert.is(await at('/perros?sort=votes-desc&x=1&breed=beagle'), '/perros?breed=beagle&sort=votes-desc')
    assert.is(
      await at('/perros?breed=beagle&breed=galgo'),
      '/perros?breed=beagle',
      'the first of several, as the page reads it',
    )
    assert.is(await at('/razas?pagina=2&modo=mias&a=b'), '/razas?modo=mias&pagina=2')
    assert.is(await at('/razas/imprimir?pagina=2&modo=mias'), '/razas/imprimir?modo=mias')
    assert.is(await at('/beagle/toby?x=1'), '/beagle/toby')
    assert.is(await at('/comunidad?'), '/comunidad')
    assert.is(await at('/reto/2026-11-26?resultado=3&x=1'), '/reto/2026-11-26?resultado=3')
    for (const query of ['resultado=7', 'resultado=', '%72esultado=y', 'resultado=3x', 'aviso=raza'])
      assert.is(await at(`/reto/2026-11-26?${query}`), null, query)
    assert.is(await at('/reto/ronda?x=1'), '/reto/ronda')
  },
)

address('all unknown dogs are the same page', async () => {
  assert.is(await at('/beagle/toby'), '/beagle/toby')
  assert.is(await at('/beagle/nadie'), NOT_FOUND_ADDRESSES.path)
  assert.is(await at('/lo-que/sea?x=1'), NOT_FOUND_ADDRESSES.path)
  assert.is(await at(`/perro/${ID}`), `/perro/${ID}`)
  assert.is(await at('/perro/3f0a7a52-9d53-4a8e-8c39-8a1f7a0c2b12'), NOT_FOUND_ADDRESSES.id)
  assert.is(await at(`/perro/${ID}/cartel?x=1`), `/perro/${ID}/cartel`)
  assert.is(await at('/perro/3f0a7a52-9d53-4a8e-8c39-8a1f7a0c2b12/cartel'), NOT_FOUND_ADDRESSES.id)
  assert.is(await at(`/perro/${ID}/otra`), null)
})

address('members share the pages of lists, breeds and dogs, spelled as their links are, and the legal texts', () => {
  for (const url of [
    '/',
    '/perros',
    '/perros?breed=beagle',
    '/razas/beagle',
    '/beagle/toby',
    '/terminos',
    '/privacidad/?x=1',
  ])
    assert.is(toPageAddress(url)?.isShared, true, url)
  for (const url of [
    '/?tab=razas',
    '/perros?view=map',
    '/perros?x=1',
    '/razas',
    '/razas/guia',
    '/beagle/toby?x=1',
    `/perro/${ID}`,
  ])
    assert.is(toPageAddress(url)?.isShared, false, url)
})

address('other spellings, personal pages and unbounded values are left to Astro', async () => {
  for (const url of [
    '/Beagle/Toby',
    '/beagle/toby-1',
    '/beagle//toby',
    '/beagle/-toby',
    '/beagle/toby/',
    '/b%65agle/toby',
    '/perfil/cuenta',
    '/login/enlace?token=x',
    '/api/dogs',
    '/razas/beagle/mas',
    '/perro/toby-3f0a7a52-9d53-4a8e-8c39-8a1f7a0c2b11',
    '/perros?view=map&lat=40&lon=-3&zoom=12',
    '/favicon.svg',
    `/perros?breed=${'x'.repeat(400)}`,
    '//otro.example/perros',
    'http://otro.example/perros',
  ])
    assert.is(await at(url), null, url)
})

address('every folder and file of src/pages is known not to be a breed', () => {
  const names = readdirSync('src/pages')
    .filter((name) => !name.startsWith('['))
    .map((name) => name.replace(/\.(astro|ts)$/, ''))
  assertNone(names, (name) => !RESERVED_SEGMENTS.has(name))
  assert.is(findActiveTab(NOT_FOUND_ADDRESSES.path), null)
})

address('the sidebar’s is the only cookie in a cached page’s key', () => {
  assert.is(CLOSED_SIDEBAR_COOKIE, `${SIDEBAR_COOKIE}=closed`)
})
