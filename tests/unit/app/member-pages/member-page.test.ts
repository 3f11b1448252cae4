import { setTimeout as wait } from 'node:timers/promises'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { MemberPage, MemberPageStore, STALE_MAX_MS } from '#app/member-pages/member-page.ts'
import type { MemberState } from '#app/member-pages/member-state.ts'
import type { UnsharedWith } from '#lib/member-slots.ts'

const memberPage = suite('unit/app/member-pages/member-page')

let position = 7
function pageOf(unsharedWith: UnsharedWith | null = { people: [], hasOwnParts: false }, tags = ['dog:1']): MemberPage {
  const page = { status: 200, headers: [], body: Buffer.from('hola'), tags, expires: Infinity, unsharedWith }
  return new MemberPage({ key: '/perros', page, renderedAt: performance.now(), position: () => position })
}
const stateOf = (fields: Partial<MemberState> = {}): MemberState => ({
  userId: 'ana',
  texts: {} as MemberState['texts'],
  fingerprint: 'x',
  isAdmin: false,
  liked: new Set(),
  blockedIds: new Set(),
  hasOwnParts: false,
  ...fields,
})

memberPage(
  'a page is not shared with its people, members with a block, the admin, or members with parts of their own',
  () => {
    const page = pageOf({ people: ['bruno', null], hasOwnParts: true })
    assert.ok(page.isSharedWith(stateOf()))
    assert.not.ok(page.isSharedWith(stateOf({ userId: 'bruno' })))
    assert.not.ok(page.isSharedWith(stateOf({ blockedIds: new Set(['bruno']) })))
    assert.ok(page.isSharedWith(stateOf({ blockedIds: new Set(['eva']) })))
    assert.not.ok(page.isSharedWith(stateOf({ isAdmin: true })))
    assert.not.ok(page.isSharedWith(stateOf({ hasOwnParts: true })))
    assert.ok(pageOf().isSharedWith(stateOf({ hasOwnParts: true })))
  },
)

memberPage('whom a page names shares it, and nobody with a block between them does', () => {
  const page = pageOf({ people: ['bruno'], named: ['eva', null], hasOwnParts: false })
  assert.ok(page.isSharedWith(stateOf({ userId: 'eva' })))
  assert.ok(page.isSharedWith(stateOf()))
  for (const id of ['bruno', 'eva']) assert.not.ok(page.isSharedWith(stateOf({ blockedIds: new Set([id]) })), id)
})

memberPage('a page that says nothing of its readers is composed for none', () => {
  assert.is(pageOf(null).template, undefined)
})

memberPage('after a like a page is sent to others for a moment, to who wrote never', async () => {
  const store = new MemberPageStore(1e6)
  const page = store.put(pageOf())
  const before = performance.now() - 1000
  store.invalidate('~dog:1')
  assert.is(store.get('/perros'), page)
  assert.ok(page.isUsableAfter(before))
  assert.not.ok(page.isUsableAfter(performance.now()))
  await wait(STALE_MAX_MS + 20)
  assert.not.ok(page.isUsableAfter(before))
})

memberPage('a stale page’s reader continues their stream where the page was complete', () => {
  position = 7
  const page = pageOf()
  position = 9
  assert.is(page.livePosition, 9)
  page.markStale()
  position = 12
  assert.is(page.livePosition, 9)
})

memberPage('what changes more than counts takes the page away at once', () => {
  const store = new MemberPageStore(1e6)
  store.put(pageOf())
  store.invalidate('dog:1')
  assert.is(store.get('/perros'), undefined)
})

memberPage.run()
