import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { memberCounts } from '#features/account/counts.server.ts'
import { totalBreeds } from '#features/breeds/catalogue.server.ts'
import { activeTab, current, keyboardVisible, PLACES } from '#layouts/nav.ts'
import { joinText } from '#layouts/join.ts'
import { greeting, personTexts } from '#layouts/person.ts'
import { formatCount, percent } from '#lib/numbers.ts'
import { freshDb } from '#tests/support/db.ts'
import { settleToast } from '#ui/toast.ts'
import { tiltClass, TILTS } from '#ui/tilt.ts'

const tabs = suite('the active tab')

tabs('follows the path prefix', () => {
  for (const path of ['/', '/perros', '/perros/']) assert.is(activeTab(path), 'all', path)
  for (const path of ['/razas', '/razas/beagle']) assert.is(activeTab(path), 'breeds', path)
  assert.is(activeTab('/comunidad'), 'community')
  for (const path of ['/perfil', '/usuario/1f0a']) assert.is(activeTab(path), 'profile', path)
})

tabs('is none where only the beginning of a word matches', () => {
  for (const path of ['/perrosas', '/razasas/x', '/beagle/toby', '/login', '/terminos'])
    assert.is(activeTab(path), null, path)
})

tabs('names the page itself, and only the place above deeper pages', () => {
  assert.is(current('breeds', 'breeds', '/razas', '/razas'), 'page')
  assert.is(current('breeds', 'breeds', '/razas/beagle', '/razas'), 'true')
  assert.is(current('all', 'all', '/', '/perros'), 'page')
  assert.is(current('community', 'breeds', '/razas', '/comunidad'), undefined)
})

tabs('the places are the four of the specification', () => {
  assert.equal(
    PLACES.map(({ href, label }) => [label, href]),
    [
      ['Perros', '/perros'],
      ['Razas', '/razas'],
      ['Comunidad', '/comunidad'],
      ['Mi perfil', '/perfil'],
    ],
  )
})

const keyboard = suite('the on-screen keyboard')

keyboard('is up under 80 % of the outer height', () => {
  assert.ok(keyboardVisible(639, 800))
  assert.not(keyboardVisible(640, 800))
  assert.not(keyboardVisible(800, 800))
})

const texts = suite('the texts of the frame')

texts('a member without alias, emoji or e-mail still has a block', () => {
  const counts = { dogs: 0, breeds: 0, total: 0 }
  assert.equal(personTexts({ alias: '', emoji: '', email: null, counts }), {
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
  const shown = personTexts({ alias: 'Ana', emoji: '🦊', email: 'ana@ejemplo.es', counts })
  assert.is(shown.dogs, '1.284')
  assert.is(shown.completed, '3 %')
})

texts('the greeting falls back to Usuario', () => {
  assert.is(greeting('Ana'), 'Bienvenido, Ana')
  assert.is(greeting(undefined), 'Bienvenido, Usuario')
})

texts('the banner counts profiles as Spanish does', () => {
  assert.is(joinText(0), 'Únete gratis y empieza tu álbum.')
  assert.is(joinText(1), 'Ya hay 1 perfil registrado. Únete gratis y empieza tu álbum.')
  assert.is(joinText(2140), 'Ya hay 2.140 perfiles registrados. Únete gratis y empieza tu álbum.')
})

texts('per cent of nothing is 0, halves round up', () => {
  assert.is(percent(0, 0), 0)
  assert.is(percent(1, 8), 13)
  assert.is(percent(356, 356), 100)
  assert.is(formatCount(999), '999')
})

const toasts = suite('which toast')

toasts('two parts make a dialog of 5 s, one sentence a stacked one of 4 s', () => {
  const dialog = settleToast({ title: 'Error de red', text: 'No se pudo conectar con el servidor.', kind: 'error' })
  assert.is(dialog.style, 'dialog')
  assert.is(dialog.duration, 5000)
  const stack = settleToast({ title: 'Perfil actualizado' })
  assert.is(stack.style, 'stack')
  assert.is(stack.duration, 4000)
  assert.is(stack.kind, 'info')
})

toasts('style and time can be told', () => {
  const copied = settleToast({ title: '¡Enlace copiado!', text: 'Puedes compartirlo donde quieras.', duration: 2000 })
  assert.is(copied.duration, 2000)
  assert.is(settleToast({ title: 'x', style: 'dialog' }).duration, 5000)
})

const tilt = suite('the tilt of a sticker')

tilt('follows from the id and uses every class', () => {
  assert.is(tiltClass('a1'), tiltClass('a1'))
  const used = new Set(Array.from({ length: 200 }, (_, index) => tiltClass(`dog-${index}`)))
  assert.equal([...used].sort(), ['tilt-1', 'tilt-2', 'tilt-3', 'tilt-4', 'tilt-5', 'tilt-6', 'tilt-7'])
  assert.is(used.size, TILTS)
})

const counts = suite('counts of the frame')

counts('a member without a profile has none, out of the catalogue', async () => {
  assert.equal(await memberCounts(freshDb(), 'nobody'), { dogs: 0, breeds: 0, total: totalBreeds })
  assert.ok(totalBreeds > 300)
})

tabs.run()
keyboard.run()
texts.run()
toasts.run()
tilt.run()
counts.run()
