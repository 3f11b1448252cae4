import mapped from '#data/breed-mappings.json' with { type: 'json' }
import reverse from '#data/reverse-breed-mappings.json' with { type: 'json' }
import type { Db } from '#db/client.ts'
import { getCatalogue } from './current-catalogue.server.ts'
import { breedImageUrl, operatorPhotos } from './operator-photos.server.ts'

/** Contents of the static GETs of docs/product.md §18.5, with the admin's changes and the operator's photos. */
export const breedFiles = {
  /** `/razas-final.json`: names and pictures only; the rest of razas.json is not published. */
  async breeds(db: Db, dataDir: string) {
    const photos = await operatorPhotos(dataDir)
    const { breeds } = await getCatalogue(db)
    return {
      razas: breeds.map((breed) => ({
        id: breed.id,
        nombre_castellano: breed.nombre_castellano,
        imagen_purina: breedImageUrl(breed, 'breed', photos),
      })),
    }
  },
  /** `/breed-mappings.json`: stored breed name to canonical name. */
  mappings: () => ({ mappings: mapped.mappings }),
  /** `/reverse-breed-mappings.json`: canonical name to the names that resolve to it. */
  reverse: () => ({ mappings: reverse.mappings }),
  /** `/purina-images.json`: reference picture by normalised breed. */
  async images(db: Db, dataDir: string): Promise<Record<string, string>> {
    const photos = await operatorPhotos(dataDir)
    const { breeds } = await getCatalogue(db)
    return Object.fromEntries(breeds.map((breed) => [breed.slug, breedImageUrl(breed, 'breed', photos)]))
  },
}
