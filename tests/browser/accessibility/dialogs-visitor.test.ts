import { DESKTOP } from '#tests/support/browser/chromium.ts'
import { walkDialogs, type DialogWalk } from '#tests/support/browser/dialog-walk.ts'
import { createMatrixWorld, type MatrixWorld } from '#tests/support/matrix/world.ts'
import { dog, seed } from '#tests/support/seed.ts'
import { takePage } from '#tests/support/browser/page-pool.ts'
import { assert, browserSuite } from '#tests/support/suites.ts'

// The dialogs a visitor meets, by keyboard alone (support/browser/dialog-walk.ts).
const dialogs = browserSuite<{ world: MatrixWorld; gallery: string }>('dialogs, a visitor’s')

dialogs.before(async (t) => {
  t.world = await createMatrixWorld(t.server.db, t.server.dataDir, 'admin@ejemplo.es')
  const [{ path }] = await seed(t.server.db, dog({ owner_id: null, photos: 3 }))
  t.gallery = path
})
dialogs('what there is to read and to do', async (t) => {
  const { page } = await takePage(t.browser, { ...DESKTOP, reducedMotion: 'reduce' })
  const { path, name } = t.world.loved
  const walks: DialogWalk[] = [
    { path: '/perfil', opener: 'main a[href="/terminos"]', name: 'Términos de uso' },
    { path: '/perfil', opener: 'main a[href="/privacidad"]', name: 'Política de privacidad' },
    { path, opener: '[data-dialog-open=likers]', name: 'Usuarios a los que les gusta', readySelector: '[data-liker]' },
    { path, opener: '.report-link', name: `Denunciar ${name}` },
    { path: t.gallery, opener: '[data-zoom]', name: 'Fotos a pantalla completa' },
    { path: '/', opener: '[data-like]', name: 'Inicia sesión para dar un like' },
    { path: '/', opener: '.side [data-add-dog]', name: 'Añadir perro', readySelector: 'dialog.df form' },
  ]
  assert.equal(await walkDialogs(page, t.server.url, walks), [])
})
