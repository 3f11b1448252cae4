import * as assert from 'uvu/assert'
import { call } from '../api.ts'
import { lastMailTo } from '../outbox.ts'
import { album } from './album-step.ts'
import { latePhotoFaults } from './checks.ts'
import type { Engine } from './engine.ts'
import { lost } from './lost-step.ts'
import { type Person } from './person.ts'
import { poster } from './poster-step.ts'
import { type EngineWorld, prerenderPhotos } from './world.ts'

export interface JourneyContext extends EngineWorld {
  engine: Engine
  person: Person
  email: string
  /** The address of the person's own dog, once there is one. */
  ownDogPath: string
  /** Takes a screenshot and collects layout faults. */
  inspect: (name: string) => Promise<void>
  goto: (path: string) => Promise<void>
}

/** Signs in by the mailed code. */
async function signIn({ engine, person, goto, inspect, server, email }: JourneyContext): Promise<void> {
  await goto('/login')
  await person.fill('main', 'Tu email', email)
  await inspect('login')
  await person.press('main button', 'Recibir enlace mágico')
  await person.sees('label', 'Código de 6 cifras')
  const { code } = lastMailTo(server.dataDir, email)
  // Its sixth digit sends it.
  await person.press('main input[name=code]')
  await engine.type(code)
  await person.isAt('/perfil')
  await person.sees('.carnet h1')
}

async function addDog({ engine, person, goto, inspect, photo }: JourneyContext): Promise<void> {
  await goto('/perros')
  await person.press('[data-add-dog]')
  await person.sees('dialog.df form')
  await engine.upload('dialog.df input[type=file]', photo)
  await person.until('the photo', () => {
    const tile = document.querySelector<HTMLImageElement>('.df-gallery .df-tile img')
    return tile !== null && tile.complete && tile.naturalWidth > 0
  })
  await inspect('form')
  await person.fill('dialog.df', 'Nombre', 'Nieve')
  await person.press('dialog.df input[role=combobox]')
  await engine.type('samoyedo')
  await person.sees('dialog.df [role=option]', 'Samoyedo')
  await engine.press('Enter')
  await person.fill('dialog.df', 'Edad', '3')
  await person.fill('dialog.df', 'Peso', '21,5')
  await person.press('dialog.df label', 'Mediano')
  await person.fill('dialog.df', 'Descripción', 'Duerme en la nieve.')
  await inspect('form-filled')
  await person.press('.df-buttons [type=submit]')
  // The confirmation closes by itself: a slow engine is asked when it has gone.
  await person.until(
    'the confirmation, or what follows it',
    () =>
      document.querySelector('dialog.df')?.textContent?.includes('Perro añadido') ||
      [...document.querySelectorAll('.dog-card')].some((one) => one.textContent!.includes('Nieve')),
  )
  await person.isGone('dialog.df')
  await person.sees('dialog.landing[open]', 'Samoyedo, 1 de')
  await inspect('landing')
  await person.press('dialog.landing [data-dialog-close]')
  await person.isGone('dialog.landing')
  await person.sees('.dog-card', 'Nieve')
}

async function viewAndEdit(context: JourneyContext): Promise<void> {
  const { engine, person, inspect } = context
  await person.press('.dog-card h3 a', 'Nieve')
  await person.isAt('/samoyedo/nieve')
  for (const words of ['21,5 kg', 'Mediano', 'Duerme en la nieve.']) await person.sees('main', words)
  await inspect('dog')
  await person.press('[data-edit-dog]')
  await person.fill('dialog.df', 'Nombre', 'Nevada')
  await person.press('.df-buttons [type=submit]')
  await person.until(
    'the confirmation, or what follows it',
    () =>
      document.querySelector('dialog.df')?.textContent?.includes('Cambios guardados') ||
      location.pathname.startsWith('/samoyedo/nevada'),
  )
  await person.isAt('/samoyedo/nevada')
  await person.sees('h1', 'Nevada')
  await person.isGone('dialog.df')
  context.ownDogPath = await engine.run(() => location.pathname)
  await person.press('.gallery button', 'Ver a pantalla completa')
  await person.sees('.yarl__container')
  await person.until('the photo at full size', () =>
    [...document.querySelectorAll<HTMLImageElement>('.yarl__container img')].some((one) => one.naturalWidth > 0),
  )
  await inspect('lightbox')
  await engine.press('Escape')
  await person.isGone('.yarl__container')
}

/** Another member's dog: a like, a comment. One's own: what the other does comes by itself. */
async function likeAndComment({
  engine,
  person,
  goto,
  inspect,
  server,
  luis,
  ownDogPath,
}: JourneyContext): Promise<void> {
  await goto('/galgo-espanol/viento')
  await person.press('main [data-like]')
  await person.until(
    'the like',
    () => document.querySelector('main [data-like]')?.getAttribute('aria-pressed') === 'true',
  )
  await person.fill('main', 'Tu comentario', 'Hola, Viento')
  await person.press('main button', 'Enviar')
  await person.sees('.comment', 'Hola, Viento')
  await inspect('comments')

  await goto(ownDogPath)
  await person.until('the live stream', () =>
    performance.getEntriesByType('resource').some(({ name }) => /live\.client/.test(name)),
  )
  const id = await engine.run(() => document.querySelector<HTMLElement>('main [data-like]')!.dataset.like!)
  const before = await engine.run(() => document.querySelector('[data-bell-count]')?.textContent ?? '')
  const talked = { method: 'POST', cookie: luis.cookie, json: { content: 'Qué blanca' } }
  assert.is((await call(server, `/api/dogs/${id}/comments`, talked)).status, 201)
  assert.is((await call(server, `/api/dogs/${id}/like`, { method: 'PUT', cookie: luis.cookie })).status, 200)
  await person.until(
    'the bell counts by itself',
    (before: string) => (document.querySelector('[data-bell-count]')?.textContent ?? '') !== before,
    before,
  )
  await person.until(
    'the like by itself',
    () => document.querySelector('main [data-like] [data-like-count]')?.textContent === '1',
  )
  await person.press('[data-bell]')
  await person.sees('.np', 'Luis')
  await inspect('bell')
  await engine.press('Escape')
  await person.isGone('.np')
}

async function map({ engine, person, goto, inspect }: JourneyContext): Promise<void> {
  const isStill = () => person.sees('.map-frame[data-state="ready"][data-busy="false"]')
  await goto('/perros?view=map')
  await isStill()
  await person.press('.map-frame input')
  await engine.type('Toledo')
  await person.isAt('zoom=14')
  // Phones have no buttons for it but two fingers, which neither driver has: there the address leads on.
  const isPhone = await engine.run(
    () => document.querySelector('.map-tools .zooms')!.getBoundingClientRect().width < 10,
  )
  if (isPhone) await goto('/perros?view=map&lat=39.86&lon=-4.03&zoom=12')
  else
    for (const zoom of [13, 12]) {
      await person.press('.map-frame button', 'Alejar')
      await person.isAt(`zoom=${zoom}`)
    }
  await isStill()
  await person.sees('.mark.cluster', '12')
  const grip = await engine.run(() => document.querySelector('.strip-grip')!.getBoundingClientRect().toJSON())
  const [gripX, gripY] = [grip.left + grip.width / 2, grip.top + 12]
  await engine.drag([gripX, gripY], [gripX - 60, gripY - 80])
  assert.is(await engine.run(() => `${getSelection()}`), '', 'dragging the strip selects text')
  await engine.drag([gripX - 60, gripY - 80], [gripX, gripY])
  await isStill()
  await inspect('map')
  await person.press('.mark.cluster', '12')
  await person.until('the circle opened', () => Number(new URLSearchParams(location.search).get('zoom')) > 12)
  await isStill()
  const before = await engine.run(() => location.search)
  const { x, y } = await engine.run(() => {
    const box = document.querySelector('.map-box')!.getBoundingClientRect()
    return { x: box.left + box.width * 0.3, y: box.top + box.height * 0.6 }
  })
  await engine.drag([x, y], [x + 60, y - 70])
  await person.until('the map moved', (before: string) => location.search !== before, before)
  await person.press('.map-frame input')
  await engine.press('SelectAll')
  await engine.type('Cáceres')
  // The first search waited for a pause in typing.
  await engine.press('Enter')
  await person.sees('.mark.pin[aria-label^="Viento"]')
  await isStill()
  await person.press('.mark.pin[aria-label^="Viento"]')
  await person.sees('.pop', 'Viento')
  await inspect('map-popup')
  await person.press('.pop a', 'Viento')
  await person.isAt('/galgo-espanol/viento')
}

async function breed({ engine, person, goto, inspect }: JourneyContext): Promise<void> {
  await goto('/razas/beagle')
  await person.until('drawings', () =>
    [...document.querySelectorAll<HTMLImageElement>('.tile img:not([loading=lazy])')].every(
      (one) => one.naturalWidth > 0,
    ),
  )
  await inspect('breed')
  await person.press('.thumbs label:nth-of-type(2)')
  await person.until(
    'the second picture',
    () => document.querySelectorAll<HTMLInputElement>('.thumbs input')[1]!.checked,
  )
  // Its code comes when the notes are near.
  await engine.run(() => document.querySelector('.fact')!.scrollIntoView({ block: 'center', behavior: 'instant' }))
  // Paused first: autoplay may have turned to any note before the press.
  await person.press('[data-facts="on"] [data-facts-pause]')
  // A press while a note slides is ignored.
  await person.until(
    'the notes at rest',
    () => document.querySelector('[data-facts] .swiper-wrapper')!.getAnimations().length === 0,
  )
  const countOf = () => document.querySelector('[data-facts-count]')!.textContent!
  const shown = await engine.run(countOf)
  await person.press('[data-facts-next]')
  const [index, total] = shown.split(' / ').map(Number) as [number, number]
  await person.until(
    'the next note',
    (expected: string) => document.querySelector('[data-facts-count]')!.textContent === expected,
    `${(index % total) + 1} / ${total}`,
  )
  await inspect('facts')
}

async function profile({ person, goto, inspect, engine, email }: JourneyContext): Promise<void> {
  await goto('/perfil')
  await person.press('[aria-label="Opciones"]')
  await person.press('.menu a', 'Editar perfil')
  const alias = `Rosa ${email.slice(0, 9)}`
  await person.fill('dialog[open]', 'Alias', alias)
  await person.sees('[data-status]', 'Disponible')
  await person.press('dialog[open] button', 'Cambiar emoji')
  // The picker lives in a shadow: its button is found there, and pressed where it stands.
  const at = await person.until('the fox', () => {
    const root = document.querySelector('em-emoji-picker')?.shadowRoot
    const animals = root?.querySelector<HTMLElement>('nav button[aria-label^="Animales"]')
    // Where it stands is asked when the list has come to rest.
    if (animals?.getAttribute('aria-selected') === null) {
      animals.click()
      return null
    }
    const fox = root?.querySelector('button[aria-label="🦊"]')
    const box = fox?.getBoundingClientRect()
    return box && box.height > 0 && box.bottom < innerHeight && box.top > 0
      ? { x: box.left + box.width / 2, y: box.top + box.height / 2 }
      : (fox?.scrollIntoView({ block: 'center' }), null)
  })
  await inspect('emojis')
  await engine.click(at!.x, at!.y)
  await person.until('the fox chosen', () => document.querySelector('[data-emoji-shown]')?.textContent?.trim() === '🦊')
  await person.press('dialog[open] button', 'Guardar')
  await person.sees('.toast', 'Perfil actualizado')
  await person.sees('.carnet h1', alias)
  await inspect('profile')
}

async function signOut({ person }: JourneyContext): Promise<void> {
  await person.press('[aria-label="Opciones"]')
  await person.press('.menu button', 'Cerrar sesión')
  await person.sees('.toast', 'Sesión cerrada correctamente')
  await person.until('home', () => location.pathname === '/')
}

/** Visits the list as a visitor, whose photos all come from the network. */
export async function visitList(context: JourneyContext): Promise<void> {
  await prerenderPhotos(context, '/perros')
  await context.goto('/perros')
  assert.equal(await latePhotoFaults(context.engine), [])
  await context.inspect('list')
}

/** The steps after `visitList`, in order. */
export const STEPS = {
  signIn,
  addDog,
  seeAndEdit: viewAndEdit,
  talk: likeAndComment,
  poster,
  lost,
  map,
  album,
  breed,
  profile,
  signOut,
}
