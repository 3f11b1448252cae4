import { randomUUID } from 'node:crypto'
import { signInMember, type TestMember } from '#tests/support/members.ts'
import { dog, member, seed } from '#tests/support/seed.ts'
import type { TestServer } from '#tests/support/server.ts'
import { answered, assert, assertMatches, call, insert, serverSuite, update } from '#tests/support/suites.ts'

let server: TestServer
let ana: TestMember
let luis: { id: string }
let eva: { id: string }

// What the pages say, word by word (docs/product.md §9.2).
const page = serverSuite('api/account/profile-page')
page.before(async (t) => {
  ;({ server } = t)
  ana = await signInMember(server, 'ana@ejemplo.es')
  const [a, , , b] = await seed(
    server.db,
    member({ alias: 'Luis', emoji: '🦊' }),
    dog({ name: 'Toby', breed: 'Beagle' }),
    dog({ name: 'Kira', breed: 'Pastor Alemán' }),
    member({ alias: 'Eva' }),
  )
  ;[luis, eva] = [a, b]
  const [found] = await seed(server.db, dog({ name: 'Nube', owner_id: null, discoverer_id: eva.id }))
  await insert(server.db, 'dog_likes_all', {
    id: randomUUID(),
    dog_id: found.id,
    user_id: luis.id,
    created_at: Date.now(),
  })
  await update(server.db, 'profiles_all', { id: luis.id }, { verified: 1, created_at: Date.UTC(2025, 5, 1) })
})

/** A page's text as a reader meets it, without tags, scripts and doubled blanks. */
async function textOf(path: string, cookie?: string): Promise<string> {
  const { status, body } = await call(server, path, { cookie })
  assert.is(status, 200, path)
  const main = /<header[\s\S]*<\/main>/.exec(String(body))![0]
  return main
    .replace(/<(script|style)[\s\S]*?<\/\1>/g, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
}
const htmlOf = async (path: string, cookie?: string) => String((await call(server, path, { cookie })).body)

page('another member’s page shows alias, badges, year, counters and tabs, and no edit controls', async () => {
  const path = `/usuario/${luis.id}`
  for (const cookie of [undefined, ana.cookie]) {
    const text = await textOf(path, cookie)
    assertMatches(text, /🦊 Luis .*Miembro desde 2025 Dueño Perros 2 Razas 2 \/\d+ Likes dados 1/, /Toby/, /Kira/)
    assert.not.match(text, /Editar perfil|Aleatorio/)
    const html = await htmlOf(path, cookie)
    assert.is(html.match(/aria-label="Perfil verificado"/g)?.length, 2)
    assert.match(html, /<title>Perfil de Luis \| Perrario<\/title>/)
    assert.not.match(html, /edit-profile|emoji-picker/)
  }
  assert.match(await textOf(`${path}?tab=likes`), /Nube/)
})

page('a discoverer has no owner badge; an empty profile is described in the third person', async () => {
  assert.not.match(await textOf(`/usuario/${eva.id}`), /Dueño/)
  assert.match(await textOf(`/usuario/${eva.id}?tab=likes`), /A Eva todavía no le ha gustado ningún perro\./)
  assert.not.match(await htmlOf(`/usuario/${eva.id}`), /Perfil verificado/)
})

page('one’s own page shows «Editar perfil» and «Cerrar sesión», and empty tabs in the second person', async () => {
  for (const path of ['/perfil', `/usuario/${ana.id}`]) {
    const text = await textOf(path, ana.cookie)
    assert.match(
      text,
      /Editar perfil Mensajes Lo que sigues Tu \d{4} Mi zona Cuenta y datos Términos Privacidad Cerrar sesión/,
    )
    assert.match(text, /Todavía no has subido ningún perro\./)
    assert.match(await textOf(`${path}?tab=razas`, ana.cookie), /No has desbloqueado razas aún/)
    assert.match(await textOf(`${path}?tab=likes`, ana.cookie), /Todavía no te ha gustado ningún perro\./)
  }
})

page('the edit form warns members with the badge that another alias ends it', async () => {
  const warning = 'Si cambias de alias, tu perfil dejará de estar verificado.'
  const setVerified = (verified: 0 | 1) =>
    server.db.updateTable('profiles_all').set({ verified }).where('id', '=', ana.id).execute()
  for (const path of ['/perfil?editar', `/usuario/${ana.id}`]) {
    await setVerified(1)
    assert.match(await htmlOf(path, ana.cookie), warning, path)
    await setVerified(0)
    assert.not.match(await htmlOf(path, ana.cookie), warning, path)
  }
})

page(
  'the signed-out page shows up to eight photos with a valid address, the invitation and the ways to sign in',
  async () => {
    const dogs = await seed(
      server.db,
      ...Array.from({ length: 12 }, (_, n) => dog({ name: `Foto ${n}`, owner_id: null })),
    )
    for (const [n, bad] of ['javascript:alert(1)', 'con espacio.jpg', 'http://', 'foto.jpg'].entries())
      await update(server.db, 'dogs_all', { id: dogs[11 - n]!.id }, { photo_url: bad })
    const html = await htmlOf('/perfil')
    assert.is(html.match(/<figure class="sticker"/g)?.length, 8)
    assert.not.match(html, /javascript:alert|con espacio/)
    const text = await textOf('/perfil')
    assertMatches(text, /Únete Crea tu perfil y empieza tu colección\./, /Tu email/, /Recibir enlace mágico/)
    assertMatches(text, /Términos/, /Privacidad/)
    assert.not.match(text, /Editar perfil/)
  },
)

page('an unknown member is a 404 page with a link home', async () => {
  const { body } = await answered(404, call(server, `/usuario/${randomUUID()}`))
  assertMatches(String(body), /Usuario no encontrado/, /Volver al inicio/)
})
