import * as assert from 'uvu/assert'
import type { BrowserContext, Page } from 'playwright'
import { call } from '#tests/support/api.ts'
import { dogForm, attachPhotos, openAddForm, smallPhotos } from '#tests/support/dogs/dog-form.ts'
import {
  waitUntilAdded,
  addOffline,
  goOnline,
  dogsNamed,
  fillForm,
  openDogsPage,
  queueSuite,
  queueRow,
} from '#tests/support/dogs/offline-queue.ts'
import { signInMember } from '#tests/support/members.ts'
import { waitUntilTrue } from '#tests/support/browser/service-worker.ts'

// WebKit's private windows keep no Blob and no File in IndexedDB. Chromium does: here it is made to refuse them, too.
const windows = queueSuite('a private window')

const refuseFiles = (context: BrowserContext) =>
  context.addInitScript(() => {
    const holdsFile = (value: unknown): boolean =>
      value instanceof Blob ||
      (typeof value === 'object' &&
        value !== null &&
        !ArrayBuffer.isView(value) &&
        Object.values(value).some(holdsFile))
    for (const method of ['put', 'add'] as const) {
      const real = IDBObjectStore.prototype[method]
      IDBObjectStore.prototype[method] = function (value: unknown, ...rest: [IDBValidKey?]) {
        if (holdsFile(value)) throw new DOMException('BlobURLs are not yet supported.', 'DataCloneError')
        return real.call(this, value, ...rest)
      }
    }
  })

/** Writes into one of the page's databases, past what refuses files. */
const write = (page: Page, database: string, store: string, key: string, text: string) =>
  page.evaluate(
    ([database, store, key, text]) =>
      new Promise<void>((done, fail) => {
        const opening = indexedDB.open(database!)
        opening.addEventListener('success', () => {
          const writing = opening.result.transaction(store!, 'readwrite')
          const bytes = Uint8Array.from(atob(text!), (letter) => letter.charCodeAt(0))
          writing.objectStore(store!).put(new File([bytes], 'antigua.jpg', { type: 'image/jpeg' }), key)
          writing.addEventListener('complete', () => {
            opening.result.close()
            done()
          })
        })
        opening.addEventListener('error', () => fail(opening.error))
      }),
    [database, store, key, text],
  )

const keysOf = (page: Page, database: string, store: string) =>
  page.evaluate(
    ([database, store]) =>
      new Promise<string[]>((done) => {
        const opening = indexedDB.open(database!)
        opening.addEventListener('success', () => {
          const all = opening.result.transaction(store!).objectStore(store!).getAllKeys()
          all.addEventListener('success', () => {
            opening.result.close()
            done(all.result.map(String))
          })
        })
      }),
    [database, store],
  )

windows('what an earlier version kept as a file is read', async (t) => {
  const { page } = await openDogsPage(t, await signInMember(t.server))
  const [photo] = await smallPhotos(1)
  const bytes = photo!.buffer.toString('base64')
  t.front.down()
  await addOffline(page, 'Antigua')
  const key = (await keysOf(page, 'perrario-cola', 'perros')).find((each) => each.startsWith('foto/'))!
  await write(page, 'perrario-cola', 'perros', key, bytes)
  await goOnline(t.front, page)
  await waitUntilAdded(page, 'Antigua')

  const dialog = await fillForm(page, 'Antiguo borrador')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  let drafts: string[] = []
  while (drafts.length === 0) drafts = await keysOf(page, 'perrario-borradores', 'fotos')
  await write(page, 'perrario-borradores', 'fotos', drafts[0]!, bytes)
  await page.reload()
  await openAddForm(page)
  await dogForm(page).locator('.df-tile img').first().waitFor()
})

// From here on the browser refuses files.
windows('a dog without signal is kept with its photos, and sent', async (t) => {
  const ana = await signInMember(t.server)
  await refuseFiles(t.context)
  const { context, page } = await openDogsPage(t, ana)
  t.front.down()
  await addOffline(page, 'Privada', 2)
  await page.close()
  const again = await context.newPage()
  await again.goto(`${t.front.url}/perros`)
  await queueRow(again, 'Privada').waitFor()
  await goOnline(t.front, again)
  await waitUntilAdded(again, 'Privada')
  const [dog] = await dogsNamed(t.server, 'Privada')
  assert.is((await call(t.server, `/api/dogs/${dog.id}`)).body.dog.images.length, 2)
})

windows('a draft keeps its photos', async (t) => {
  const { page } = await openDogsPage(t, await signInMember(t.server))
  const dialog = await openAddForm(page)
  await attachPhotos(dialog, await smallPhotos(2))
  await dialog.getByLabel('Nombre').fill('Borrador')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await waitUntilTrue('both photos are kept', async () => {
    const { length } = await keysOf(page, 'perrario-borradores', 'fotos')
    return length >= 2
  })
  await page.reload()
  await openAddForm(page)
  await dogForm(page).getByText('Borrador recuperado').waitFor()
  await dogForm(page).locator('.df-tile img').nth(1).waitFor()
})
