import { signInMember, type TestMember } from '#tests/support/members.ts'
import type { TestServer } from '#tests/support/server.ts'
import { answered, assert, assertMatches, call, redirectOf, serverSuite } from '#tests/support/suites.ts'

let server: TestServer
let ana: TestMember
let luis: TestMember

const api = serverSuite('api/account/profile-form')
api.before(async (t) => {
  ;({ server } = t)
  ana = await signInMember(server, 'ana@ejemplo.es')
  luis = await signInMember(server, 'luis@ejemplo.es')
})

const post = (fields: Record<string, string>, cookie: string | undefined = ana.cookie, headers = {}) =>
  call(server, '/api/profile', { method: 'POST', cookie, fields, headers })
const page = async (path: string, cookie: string | undefined = ana.cookie) =>
  String((await call(server, path, { cookie })).body)

api('the form saves and redirects to the profile', async () => {
  assert.equal(redirectOf(await post({ alias: 'Ana', emoji: '🦉' })), [303, '/perfil?guardado'])
  assert.match(await page('/perfil?guardado'), /Perfil actualizado/)
  assert.match(await page('/perfil'), /🦉/)
})

api('a refused form returns with its values and errors', async () => {
  const back = (await answered(303, post({ alias: luis.alias, emoji: '🦉' }))).headers.get('location')!
  assert.match(back, new RegExp(`^/perfil\\?editar=&alias=${luis.alias}&emoji=`))
  assertMatches(await page(back), /Este alias ya está en uso\./, new RegExp(`value="${luis.alias}"`))
  const empty = await page((await post({ alias: '', emoji: 'x' })).headers.get('location')!)
  assertMatches(empty, /El alias no puede estar vacío/, /Tiene que ser un solo emoji\./)
})

api('the form without a session redirects to the invitation', async () => {
  assert.equal(redirectOf(await post({ alias: 'Eva', emoji: '🐶' }, '')), [303, '/perfil'])
  assert.is((await post({ alias: 'x'.repeat(20_000), emoji: '🐶' })).status, 413)
})

api('«Aleatorio» fills the form without script', async () => {
  const html = await page('/perfil?editar=aleatorio&alias=Ana&emoji=x')
  const alias = /name="alias"[^>]*value="([^"]+)"/.exec(html)?.[1]
  assert.ok(alias && alias !== 'Ana' && alias.includes(' '), alias)
})

api('a profile that cannot be read shows an error', async () => {
  const rename = async (from: string, to: string) => {
    await server.db.schema.alterTable(from).renameTo(to).execute()
  }
  await rename('member_dogs', 'lost')
  try {
    for (const path of ['/perfil', `/usuario/${luis.id}`]) {
      const { body } = await answered(500, call(server, path, { cookie: ana.cookie }))
      assert.match(String(body), /No se pudo cargar el perfil/)
    }
  } finally {
    await rename('lost', 'member_dogs')
  }
  assert.is((await call(server, '/perfil', { cookie: ana.cookie })).status, 200)
})
