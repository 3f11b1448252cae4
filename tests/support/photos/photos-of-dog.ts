import type { Trx as Db } from '#db/client.ts'
import { onlyCause } from '#db/content.ts'
import { type PreparedPhoto, removePhotos, storePhoto } from '#features/photos/photos.server.ts'
import { publishPhotosByRows } from '#features/photos/visibility.server.ts'
import { freshDb } from '#tests/support/db.ts'
import { update } from '#tests/support/rows.ts'
import { dog, seed } from '#tests/support/seed.ts'
import type { TestServer } from '#tests/support/server.ts'

/** A dog with photos, and the rows that say that they are public. */
export class PhotosOfDog {
  readonly #dir: string
  readonly #db: Db
  #id = ''
  #order = 1
  close: () => Promise<void> = async () => {}

  private constructor(dir: string, db: Db) {
    this.#dir = dir
    this.#db = db
  }

  /** In a folder, with a database of its own: the caller closes it. */
  static async open(dir: string): Promise<PhotosOfDog> {
    const db = freshDb()
    publishPhotosByRows(dir, db)
    const photos = await new PhotosOfDog(dir, db).#withDog()
    photos.close = () => db.destroy()
    return photos
  }

  /** Of a server. */
  static of = (server: TestServer): Promise<PhotosOfDog> => new PhotosOfDog(server.dataDir, server.db).#withDog()

  async #withDog(): Promise<this> {
    this.#id = (await seed(this.#db, dog()))[0].id
    return this
  }

  /** @returns its address */
  async store(photo: PreparedPhoto): Promise<string> {
    const { url, width, height } = await storePhoto(this.#dir, this.#id, photo)
    const row = { dog_id: this.#id, url, order: this.#order++, width, height }
    await this.#db.insertInto('dog_images_all').values(row).execute()
    return url
  }

  hide = (url: string): Promise<unknown> => update(this.#db, 'dog_images_all', { url }, { hidden: onlyCause('admin') })

  async remove(url: string): Promise<void> {
    await this.#db.deleteFrom('dog_images_all').where('url', '=', url).execute()
    await removePhotos(this.#dir, { dogId: this.#id, urls: [url] })
  }
}
