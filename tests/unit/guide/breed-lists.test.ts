import { findList, listsByKind, listsOfBreed } from '#features/guide/breed-lists.server.ts'
import { isListKind } from '#features/guide/breed-lists.ts'
import { breedNames } from '#features/breeds/catalogue.server.ts'
import { getCatalogue } from '#features/breeds/current-catalogue.server.ts'
import { freshDb } from '#tests/support/db.ts'
import { assert, assertNone, suite } from '#tests/support/suites.ts'

const guide = suite('unit/guide/breed-lists')

const catalogue = await getCatalogue(freshDb())
const kinds = listsByKind(catalogue)
const lists = kinds.flatMap((kind) => kind.lists)

guide('every list has breeds, a text of its own and an address of its own', () => {
  assert.ok(lists.length > 70, `${lists.length} lists`)
  for (const list of lists) {
    assert.ok(list.breeds.length > 0, list.slug)
    assert.ok(list.intro.length > 80, `${list.slug}: ${list.intro}`)
    assert.match(list.slug, /^[a-z0-9-]+$/)
    assert.ok(isListKind(list.kind))
    assert.is(findList(catalogue, list.kind, list.slug), list)
  }
  assert.is(new Set(lists.map(({ intro }) => intro)).size, lists.length)
  assert.is(new Set(lists.map(({ title }) => title)).size, lists.length)
})

guide('every breed is in one group and one size, and in the list of each of its countries', () => {
  for (const { slug } of breedNames) {
    const of = listsOfBreed(catalogue, slug)
    assert.is(of.filter(({ kind }) => kind === 'grupo').length, 1, slug)
    assert.is(of.filter(({ kind }) => kind === 'tamano').length, slug === 'mestizo' ? 0 : 1, slug)
    assert.ok(slug === 'mestizo' || of.some(({ kind }) => kind === 'pais'), slug)
  }
})

guide('lists of character tell breeds apart', () => {
  for (const { slug, breeds } of kinds.find(({ kind }) => kind === 'para')!.lists)
    assert.ok(breeds.length >= 5 && breeds.length <= 140, `${slug}: ${breeds.length}`)
})

guide('no breed has the address of a page of the guide', () => {
  const taken = ['guia', 'que-raza', 'comparar', 'imprimir']
  assertNone(breedNames, ({ slug }) => taken.includes(slug))
})

guide('an unknown list is none', () => {
  assert.is(findList(catalogue, 'grupo', '11'), undefined)
  assert.is(findList(catalogue, 'nada', '1'), undefined)
  assert.is(findList(catalogue, 'pais', '__proto__'), undefined)
})
