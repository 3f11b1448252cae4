import type { Head } from '#features/seo/heads.ts'
import type { JsonLd } from '#features/seo/schema.ts'
import { paths } from '#lib/paths.ts'
import { COLUMNS } from './datasets.ts'

/** The structured data of the downloads (schema.org Dataset). @param siteUrl the site's origin */
export function datasetSchema(siteUrl: string): JsonLd {
  const absoluteUrl = (path: string) => new URL(path, siteUrl).href
  const download = (path: string, encodingFormat: string) => ({
    '@type': 'DataDownload',
    encodingFormat,
    contentUrl: absoluteUrl(path),
  })
  return {
    '@context': 'https://schema.org',
    '@type': 'Dataset',
    name: 'Perros de Perrario',
    description:
      'Los perros públicos de Perrario, el álbum de los perros: nombre, raza, edad, peso, tamaño, zona y me gusta de cada uno, en el centro de su zona. Sin datos de personas.',
    url: absoluteUrl(paths.apiDocs),
    inLanguage: 'es',
    isAccessibleForFree: true,
    creator: { '@type': 'Organization', name: 'Perrario', url: absoluteUrl(paths.home) },
    spatialCoverage: { '@type': 'Place', name: 'España' },
    variableMeasured: [...COLUMNS],
    distribution: [download(paths.dogsCsv, 'text/csv'), download(paths.dogsGeojson, 'application/geo+json')],
  }
}

/** The head of /api/docs. */
export const docsHead = (): Head => ({
  title: 'Datos abiertos y API | Perrario',
  description:
    'Los perros públicos de Perrario en CSV y GeoJSON, por raza y provincia, y lo que un programa puede leer sin cuenta.',
  canonical: paths.apiDocs,
  schema: datasetSchema,
})
