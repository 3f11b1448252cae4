import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { saveProfile } from '#features/profiles/edit/save-profile.client.ts'

const realFetch = globalThis.fetch
const realError = console.error
const save = suite('saving a profile in place')
save.after.each(() => {
  globalThis.fetch = realFetch
  console.error = realError
})

const ana = { alias: 'Ana', emoji: '🐶' }

save('PUTs the values as JSON, and returns those stored', async () => {
  const requests: [unknown, RequestInit | undefined][] = []
  globalThis.fetch = (address, init) => {
    requests.push([address, init])
    return Promise.resolve(Response.json({ profile: { alias: 'Ana', emoji: '❤️', verified: false } }))
  }
  assert.equal(await saveProfile('/api/profile', ana), { profile: { alias: 'Ana', emoji: '❤️', verified: false } })
  const [address, init] = requests[0]!
  assert.equal([address, init?.method, init?.body], ['/api/profile', 'PUT', '{"alias":"Ana","emoji":"🐶"}'])
})

save('returns the errors by field of a refusal', async () => {
  const problem = { detail: 'Este alias ya está en uso.', errors: { alias: 'Este alias ya está en uso.' } }
  globalThis.fetch = () => Promise.resolve(Response.json(problem, { status: 422 }))
  assert.equal(await saveProfile('/api/profile', ana), { problem })
})

save('says that the server could not be reached', async () => {
  console.error = () => {}
  globalThis.fetch = () => Promise.reject(new TypeError('fetch failed'))
  assert.equal(await saveProfile('/api/profile', ana), { problem: { detail: 'No se pudo conectar con el servidor.' } })
})

save.run()
