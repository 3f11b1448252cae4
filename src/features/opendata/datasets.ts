import * as z from 'zod/mini'

/** Dogs per file, some 600 kB. `Link: rel="next"` names the next file. */
export const FILE_MAX_ROWS = 2000

/** A dog in the files: what its page shows to everyone, without members' names. */
export interface DogRecord {
  id: string
  /** Empty for a dog without a name. */
  name: string
  breed: string
  breed_slug: string
  age: number | null
  age_unit: string | null
  weight_kg: number | null
  size: string | null
  zone: string | null
  /** The province of the zone, «A Coruña»; null outside Spain. */
  province: string | null
  /** The centre of the zone in the gazetteer, never a more exact point. Null for an unknown zone. */
  lat: number | null
  lon: number | null
  likes: number
  /** The day on which it was added (Madrid), «2026-11-20». */
  created: string
  /** Absolute with SITE_URL, else a path; so is `photo`. */
  page: string
  photo: string
}

/** The columns of perros.csv and what each holds; all but `id`, `lat` and `lon` are also the properties of perros.geojson. */
export const COLUMN_DESCRIPTIONS: Record<keyof DogRecord, string> = {
  id: 'El perro, como en /api/dogs/{id}.',
  name: 'Su nombre; vacío si no lo tiene.',
  breed: 'Su raza, como la escribió quien lo subió.',
  breed_slug: 'La raza del álbum con la que cuenta.',
  age: 'Su edad cuando se apuntó.',
  age_unit: 'En qué se cuenta la edad: meses o años.',
  weight_kg: 'Su peso en kilos.',
  size: 'Mini, pequeño, mediano, grande o gigante.',
  zone: 'La zona que dice su ficha: un municipio o un barrio.',
  province: 'La provincia de la zona, si está en España.',
  lat: 'Latitud del centro de la zona. En GeoJSON va en «geometry».',
  lon: 'Longitud del centro de la zona.',
  likes: 'Cuántos me gusta tiene.',
  created: 'El día en que llegó al álbum.',
  page: 'Su página.',
  photo: 'Su foto.',
}

export const COLUMNS = Object.keys(COLUMN_DESCRIPTIONS) as (keyof DogRecord)[]

export const DATASET_TEXTS = {
  breed: 'No conocemos esa raza.',
  province: 'No conocemos esa provincia.',
  cursor: 'La página pedida no existe.',
  format: 'No conocemos ese formato.',
} as const

/** The query of the files. Provinces may be named in any way: «Lérida», «lleida», «25». */
export const datasetQuerySchema = z.object({
  raza: z.optional(z.string().check(z.maxLength(200, DATASET_TEXTS.breed))),
  provincia: z.optional(z.string().check(z.maxLength(200, DATASET_TEXTS.province))),
  cursor: z.optional(z.string().check(z.maxLength(500, DATASET_TEXTS.cursor))),
})

/** Of the table, which is also there as spreadsheets in Spanish read it. */
export const csvQuerySchema = z.extend(datasetQuerySchema, {
  formato: z.optional(z.literal('excel', DATASET_TEXTS.format)),
})
