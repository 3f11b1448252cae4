import { escapeHtml } from '#lib/text/html.ts'
import { paths } from '#lib/paths.ts'
import { QUERY_MAX_CHARS } from './search.ts'

/** The OpenSearch 1.1 description, with which browsers offer the site's search. The names may have 16 and 48 characters. */
export function openSearchDescription(siteUrl: string): string {
  const absoluteUrl = (path: string) => escapeHtml(new URL(path, siteUrl).href)
  return `<?xml version="1.0" encoding="UTF-8"?>
<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">
  <ShortName>Perrario</ShortName>
  <LongName>Perrario, el álbum de los perros</LongName>
  <Description>Busca razas, perros, perfiles y zonas en Perrario. Hasta ${QUERY_MAX_CHARS} caracteres.</Description>
  <Language>es</Language>
  <InputEncoding>UTF-8</InputEncoding>
  <OutputEncoding>UTF-8</OutputEncoding>
  <Image width="48" height="48" type="image/png">${absoluteUrl('/favicon-48.png')}</Image>
  <Url type="text/html" method="get" template="${absoluteUrl(paths.search())}?q={searchTerms}"/>
  <Url type="application/opensearchdescription+xml" rel="self" template="${absoluteUrl(paths.openSearch)}"/>
</OpenSearchDescription>
`
}
