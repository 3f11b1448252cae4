import { loadPrintedAlbum } from '#features/album/print/sheets.server.ts'
import { photoSrc } from '#features/photos/photos.ts'
import { assert, dbSuite, dog, member, seed } from '#tests/support/suites.ts'

const album = dbSuite('unit/album/printed-album')

album('a sticker uses the render of the lists: none is made only for printing', async ({ db }) => {
  const [, toby] = await seed(db, member(), dog({ name: 'Toby' }))
  const { sheets } = await loadPrintedAlbum(db, 'everyone', new Map())
  const pictures = sheets.flatMap(({ slots }) => slots).flatMap(({ picture }) => picture ?? [])
  assert.equal(pictures, [photoSrc(toby.images[0]!.url, 'card')])
})

album.run()
