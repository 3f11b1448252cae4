import type { Browser } from 'playwright'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { DESKTOP, launchBrowser, openContext } from '#tests/support/browser/chromium.ts'
import { walkDialogs, type DialogWalk } from '#tests/support/browser/dialog-walk.ts'
import { createMatrixWorld, type MatrixWorld } from '#tests/support/matrix/world.ts'
import { dog, seed, withDatabase } from '#tests/support/seed.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

// The dialogs a visitor meets, by keyboard alone (support/browser/dialog-walk.ts).
const dialogs = suite('dialogs, a visitor’s')
const t = {} as { server: TestServer; browser: Browser; world: MatrixWorld; gallery: string }

dialogs.before(async () => {
  t.server = await startServer()
  t.browser = await launchBrowser()
  await withDatabase(t.server, async (db) => {
    t.world = await createMatrixWorld(db, t.server.dataDir, 'admin@ejemplo.es')
    const [{ path }] = await seed(db, dog({ owner_id: null, photos: 3 }))
    t.gallery = path
  })
})
dialogs.after(async () => {
  await t.browser.close()
  await t.server.dispose()
})

dialogs('what there is to read and to do', async () => {
  const context = await openContext(t.browser, { ...DESKTOP, reducedMotion: 'reduce' })
  const { path, name } = t.world.loved
  const walks: DialogWalk[] = [
    { path: '/perfil', opener: 'main a[href="/terminos"]', name: 'Términos de uso' },
    { path: '/perfil', opener: 'main a[href="/privacidad"]', name: 'Política de privacidad' },
    { path, opener: '[data-dialog-open=likers]', name: 'Usuarios a los que les gusta', readySelector: '[data-liker]' },
    { path, opener: '[data-report]', name: `Denunciar ${name}` },
    { path: t.gallery, opener: '[data-zoom]', name: 'Fotos a pantalla completa' },
    { path: '/', opener: '[data-like]', name: 'Inicia sesión para dar un like' },
    { path: '/', opener: '.side [data-add-dog]', name: 'Añadir perro', readySelector: 'dialog.df form' },
  ]
  assert.equal(await walkDialogs(await context.newPage(), t.server.url, walks), [])
  await context.close()
})

dialogs.run()
