import { loadFrameMember } from '#features/account/frame-member.server.ts'
import { totalBreeds } from '#features/breeds/catalogue.server.ts'
import { isKeyboardVisible } from '#layouts/keyboard.ts'
import { findActiveTab, navAriaCurrent, NAV_ITEMS } from '#layouts/nav.ts'
import { formatJoinText } from '#layouts/join/join-text.ts'
import { formatGreeting, formatMemberTexts } from '#features/account/member-frame.ts'
import { formatCount, percent } from '#lib/numbers.ts'
import { applyToastDefaults } from '#ui/toast/toast.ts'
import { tiltClass, TILT_COUNT } from '#ui/sticker/tilt.ts'
import { assert, dbSuite, member, seed, suite } from '#tests/support/suites.ts'

const tabs = suite('unit/layouts/shell: active tab')

tabs('the active tab follows the path prefix', () => {
  for (const path of ['/', '/perros', '/perros/']) assert.is(findActiveTab(path), 'all', path)
  for (const path of ['/razas', '/razas/beagle']) assert.is(findActiveTab(path), 'breeds', path)
  assert.is(findActiveTab('/comunidad'), 'community')
  for (const path of ['/perfil', '/usuario/1f0a']) assert.is(findActiveTab(path), 'profile', path)
})

tabs('no tab is active if only the beginning of a segment matches', () => {
  for (const path of ['/perrosas', '/razasas/x', '/beagle/toby', '/login', '/terminos'])
    assert.is(findActiveTab(path), null, path)
})

tabs('aria-current is page on the tab’s own page and true below it', () => {
  assert.is(navAriaCurrent('breeds', 'breeds', '/razas', '/razas'), 'page')
  assert.is(navAriaCurrent('breeds', 'breeds', '/razas/beagle', '/razas'), 'true')
  assert.is(navAriaCurrent('all', 'all', '/', '/perros'), 'page')
  assert.is(navAriaCurrent('community', 'breeds', '/razas', '/comunidad'), undefined)
})

tabs('the navigation has the four specified items', () => {
  assert.equal(
    NAV_ITEMS.map(({ href, label }) => [label, href]),
    [
      ['Perros', '/perros'],
      ['Razas', '/razas'],
      ['Comunidad', '/comunidad'],
      ['Mi perfil', '/perfil'],
    ],
  )
})

const keyboard = suite('unit/layouts/shell: on-screen keyboard')

keyboard('the keyboard counts as visible under 80 % of the outer height', () => {
  assert.ok(isKeyboardVisible(639, 800))
  assert.not(isKeyboardVisible(640, 800))
  assert.not(isKeyboardVisible(800, 800))
})

const texts = suite('unit/layouts/shell: texts')

texts('a member without alias, emoji or e-mail has fallback texts', () => {
  const counts = { dogs: 0, breeds: 0, total: 0 }
  assert.equal(formatMemberTexts({ alias: '', emoji: '', email: null, counts }), {
    alias: 'Usuario',
    emoji: '🐶',
    email: '',
    dogs: '0',
    breeds: '0',
    completed: '0 %',
  })
})

texts('the counters are grouped and the share rounded', () => {
  const counts = { dogs: 1284, breeds: 9, total: 356 }
  const shown = formatMemberTexts({ alias: 'Ana', emoji: '🦊', email: 'ana@ejemplo.es', counts })
  assert.equal([shown.dogs, shown.completed], ['1.284', '3 %'])
})

texts('the greeting falls back to Usuario', () => {
  assert.equal([formatGreeting('Ana'), formatGreeting(undefined)], ['Bienvenido, Ana', 'Bienvenido, Usuario'])
})

texts('the banner counts profiles as Spanish does', () => {
  assert.is(formatJoinText(0), 'Únete gratis y empieza tu álbum.')
  assert.is(formatJoinText(1), 'Ya hay 1 perfil registrado. Únete gratis y empieza tu álbum.')
  assert.is(formatJoinText(2140), 'Ya hay 2.140 perfiles registrados. Únete gratis y empieza tu álbum.')
})

texts('a percentage of zero is 0, and halves round up', () => {
  assert.equal([percent(0, 0), percent(1, 8), percent(356, 356), formatCount(999)], [0, 13, 100, '999'])
})

const toasts = suite('unit/layouts/shell: toast style')

toasts('a toast of two parts is a dialog of 5 s, one sentence a stacked toast of 4 s', () => {
  const dialog = applyToastDefaults({
    title: 'Error de red',
    text: 'No se pudo conectar con el servidor.',
    kind: 'error',
  })
  assert.equal([dialog.style, dialog.duration], ['dialog', 5000])
  const stack = applyToastDefaults({ title: 'Perfil actualizado' })
  assert.equal([stack.style, stack.duration, stack.kind], ['stack', 4000, 'info'])
})

toasts('style and duration of a toast are options', () => {
  const copied = applyToastDefaults({
    title: '¡Enlace copiado!',
    text: 'Puedes compartirlo donde quieras.',
    duration: 2000,
  })
  assert.equal([copied.duration, applyToastDefaults({ title: 'x', style: 'dialog' }).duration], [2000, 5000])
})

const tilt = suite('unit/layouts/shell: sticker tilt')

tilt('the tilt depends on the id and uses every class', () => {
  assert.is(tiltClass('a1'), tiltClass('a1'))
  const used = new Set(Array.from({ length: 200 }, (_, index) => tiltClass(`dog-${index}`)))
  assert.equal([...used].sort(), ['tilt-1', 'tilt-2', 'tilt-3', 'tilt-4', 'tilt-5', 'tilt-6', 'tilt-7'])
  assert.is(used.size, TILT_COUNT)
})

const counts = dbSuite('unit/layouts/shell: member counts')

counts('a new member has no dogs or breeds, out of the catalogue, and nobody has none', async ({ db }) => {
  const [ana] = await seed(db, member())
  assert.equal((await loadFrameMember(db, ana.id))!.counts, { dogs: 0, breeds: 0, total: totalBreeds })
  assert.is(await loadFrameMember(db, 'nobody'), null)
  // A hidden profile is in another table.
  await db.deleteFrom('profiles_all').where('id', '=', ana.id).execute()
  const { alias, counts: hidden } = (await loadFrameMember(db, ana.id))!
  assert.equal([alias, hidden.dogs], [null, 0])
  assert.ok(totalBreeds > 300)
})
