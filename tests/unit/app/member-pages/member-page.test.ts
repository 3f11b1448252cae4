import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { MemberPage } from '#app/member-pages/member-page.ts'
import type { UnsharedWith } from '#lib/member-slots.ts'

const memberPage = suite('unit/app/member-pages/member-page')

const pageOf = (unsharedWith: UnsharedWith | null = { people: [], hasOwnParts: false }): MemberPage =>
  new MemberPage('/perros', {
    status: 200,
    headers: [],
    body: Buffer.from('hola'),
    reads: null,
    expires: Infinity,
    unsharedWith,
  })
const isShared = (page: MemberPage, userId: string, blocked: string[] = [], hasOwnParts = false) =>
  page.isSharedWith({ userId }, { blockedIds: new Set(blocked), hasOwnParts })

memberPage('a page is not shared with its people, members with a block, or members with parts of their own', () => {
  const page = pageOf({ people: ['bruno', null], hasOwnParts: true })
  assert.ok(page.dependsOnRelations)
  assert.ok(isShared(page, 'ana'))
  assert.not.ok(isShared(page, 'bruno'))
  assert.not.ok(isShared(page, 'ana', ['bruno']))
  assert.ok(isShared(page, 'ana', ['eva']))
  assert.not.ok(isShared(page, 'ana', [], true))
})

memberPage('a page that names nobody depends on no relations', () => {
  const page = pageOf()
  assert.not.ok(page.dependsOnRelations)
  assert.ok(page.isSharedWith({ userId: 'ana' }, undefined))
})

memberPage('whom a page names shares it, and nobody with a block between them does', () => {
  const page = pageOf({ people: ['bruno'], named: ['eva', null], hasOwnParts: false })
  assert.ok(isShared(page, 'eva'))
  assert.ok(isShared(page, 'ana'))
  for (const id of ['bruno', 'eva']) assert.not.ok(isShared(page, 'ana', [id]), id)
})

memberPage('a page that says nothing of its readers is composed for none', () => {
  assert.is(pageOf(null).template, undefined)
})

memberPage.run()
