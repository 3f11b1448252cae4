import type { Trx as Db } from '#db/client.ts'
import { onlyCause } from '#db/content.ts'
import { type PreparedPhoto, removePhotos, storePhoto } from '#features/photos/photos.server.ts'
import { publishPhotosByRows } from '#features/photos/visibility.server.ts'
import { freshDb } from '#tests/support/db.ts'
import { dog, seed, withDatabase } from '#tests/support/seed.ts'
import type { ServerData } from '#tests/support/server-database.ts'
import { update } from '#tests/support/rows.ts'

type Use = <T>(action: (db: Db) => Promise<T>) => Promise<T>

/** A dog with photos, and the rows that say that they are public. */
export class PhotosOfDog {
  readonly #dir: string
  readonly #use: Use
  #id = ''
  #order = 1
  close: () => Promise<void> = async () => {}

  private constructor(dir: string, use: Use) {
    this.#dir = dir
    this.#use = use
  }

  /** In a folder, with a database of its own: the caller closes it. */
  static async open(dir: string): Promise<PhotosOfDog> {
    const db = freshDb()
    publishPhotosByRows(dir, db)
    const photos = await new PhotosOfDog(dir, (action) => action(db)).#withDog()
    photos.close = () => db.destroy()
    return photos
  }

  /** Of a server. */
  static of = (server: ServerData): Promise<PhotosOfDog> =>
    new PhotosOfDog(server.dataDir, (action) => withDatabase(server, action)).#withDog()

  async #withDog(): Promise<this> {
    this.#id = (await this.#use((db) => seed(db, dog())))[0].id
    return this
  }

  /** @returns its address */
  async store(photo: PreparedPhoto): Promise<string> {
    const { url, width, height } = await storePhoto(this.#dir, this.#id, photo)
    const row = { dog_id: this.#id, url, order: this.#order++, width, height }
    await this.#use((db) => db.insertInto('dog_images_all').values(row).execute())
    return url
  }

  hide = (url: string): Promise<unknown> =>
    this.#use((db) => update(db, 'dog_images_all', { url }, { hidden: onlyCause('admin') }))

  async remove(url: string): Promise<void> {
    await this.#use((db) => db.deleteFrom('dog_images_all').where('url', '=', url).execute())
    await removePhotos(this.#dir, { dogId: this.#id, urls: [url] })
  }
}
