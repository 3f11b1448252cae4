import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Trx as Db } from '#db/client.ts'
import { loadPrintedAlbum } from '#features/album/print/sheets.server.ts'
import { photoSrc } from '#features/photos/photos.ts'
import { freshDb } from '#tests/support/db.ts'
import { dog, member, seed } from '#tests/support/seed.ts'

const album = suite<{ db: Db }>('unit/album/printed-album')
album.before.each((t) => {
  t.db = freshDb()
})

album('a sticker uses the render of the lists: none is made only for printing', async ({ db }) => {
  const [, toby] = await seed(db, member(), dog({ name: 'Toby' }))
  const { sheets } = await loadPrintedAlbum(db, 'everyone', new Map())
  const pictures = sheets.flatMap(({ slots }) => slots).flatMap(({ picture }) => picture ?? [])
  assert.equal(pictures, [photoSrc(toby.images[0]!.url, 'card')])
})

album.run()
