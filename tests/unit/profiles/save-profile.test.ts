import { saveProfile } from '#features/profiles/edit/save-profile.client.ts'
import { assert, suite } from '#tests/support/suites.ts'

const realFetch = globalThis.fetch
const realError = console.error
const save = suite('unit/profiles/save-profile')
save.after.each(() => {
  globalThis.fetch = realFetch
  console.error = realError
})

const ana = { alias: 'Ana', emoji: '🐶' }

save('sends the values as JSON by PUT, and returns the stored ones', async () => {
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

save('reports that the server is unreachable', async () => {
  console.error = () => {}
  globalThis.fetch = () => Promise.reject(new TypeError('fetch failed'))
  assert.equal(await saveProfile('/api/profile', ana), { problem: { detail: 'No se pudo conectar con el servidor.' } })
})
