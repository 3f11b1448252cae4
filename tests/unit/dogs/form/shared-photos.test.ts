import { takeSharedPhotos as handOut } from '#features/dogs/form/photos/given-files.client.ts'
import { receiveSharedPhotos } from '#features/pwa/worker/share-target.client.ts'
import { assert, suite } from '#tests/support/suites.ts'

// Any site may have a visitor's browser send a form to the share target, and the worker cannot tell it from the system's own.

const shared = suite('unit/dogs/form/shared-photos')

/** Cache Storage, as far as this uses it. */
function memoryCaches() {
  const stores = new Map<string, Map<string, Response>>()
  const keyOf = (key: string | Request) => new URL(typeof key === 'string' ? key : key.url, 'http://x').pathname
  const open = async (name: string) => {
    const store = stores.get(name) ?? new Map<string, Response>()
    stores.set(name, store)
    return {
      put: async (key: string, response: Response) => void store.set(keyOf(key), response.clone()),
      match: async (key: string | Request) => store.get(keyOf(key))?.clone(),
      keys: async () => [...store.keys()].map((path) => new Request(`http://x${path}`)),
    }
  }
  return { open, has: async (name: string) => stores.has(name), delete: async (name: string) => stores.delete(name) }
}

const own = { caches: globalThis.caches, redirect: Response.redirect }
shared.before.each(() => {
  Object.assign(globalThis, { caches: memoryCaches() })
  // A worker's addresses are relative to its own; Node has none.
  Response.redirect = (url, status) => own.redirect(new URL(url, 'http://x'), status)
})
shared.after(() => {
  Object.assign(globalThis, { caches: own.caches })
  Response.redirect = own.redirect
})

const share = async (...names: string[]) => {
  const body = new FormData()
  for (const name of names) body.append('fotos', new File([name], name, { type: 'image/jpeg' }))
  body.append('title', 'x')
  const response = await receiveSharedPhotos(new Request('http://x/compartir', { method: 'POST', body }))
  return response.headers.get('location')!.replace('http://x', '')
}
const waiting = async () => {
  const files = await handOut()
  return Promise.all(files.map(async (file) => `${file.name}:${await file.text()}`))
}

shared('a request to the share target removes no shared photo', async () => {
  assert.is(await share('mine.jpg', 'mine-2.jpg'), '/?compartido=si#anadir-perro')
  // No photo at all, a body that is no form, another's photos, as many as there are.
  assert.is(await share(), '/?compartido=no#anadir-perro')
  const junk = new Request('http://x/compartir', { method: 'POST', body: 'x' })
  assert.is((await receiveSharedPhotos(junk)).headers.get('location'), 'http://x/?compartido=no#anadir-perro')
  for (let i = 0; i < 5; i++) await share(...Array.from({ length: 12 }, (_, n) => `theirs-${i}-${n}.jpg`))
  const files = await waiting()
  assert.equal(files.slice(0, 2), ['mine.jpg:mine.jpg', 'mine-2.jpg:mine-2.jpg'])
  assert.ok(files.length <= 20, `${files.length} wait`)
  assert.equal(await waiting(), [], 'they are handed out once')
})

shared('photos shared one after the other are all there, in order', async () => {
  await share('a.jpg')
  await share('b.jpg', 'c.jpg')
  assert.equal(await waiting(), ['a.jpg:a.jpg', 'b.jpg:b.jpg', 'c.jpg:c.jpg'])
})

shared('at most ten of one share are taken', async () => {
  await share(...Array.from({ length: 15 }, (_, n) => `${n}.jpg`))
  assert.is((await waiting()).length, 10)
})
