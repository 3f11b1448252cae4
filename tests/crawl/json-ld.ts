/** What a search engine needs of the kinds of JSON-LD that we write (schema.org; Google's structured data pages). */
const REQUIRED_PROPERTIES: Record<string, string[]> = {
  BreadcrumbList: ['itemListElement'],
  ListItem: ['position', 'name'],
  ImageObject: ['contentUrl'],
  ProfilePage: ['mainEntity'],
  Person: ['name'],
  WebSite: ['name', 'url'],
  SearchAction: ['target', 'query-input'],
  Dataset: ['name', 'description'],
  DataDownload: ['contentUrl', 'encodingFormat'],
}
const URL_PROPERTIES = ['url', 'contentUrl', 'item', '@id', 'license', 'acquireLicensePage', 'thumbnailUrl']

/** What is wrong with a block, in words; nothing for a good one. */
export function jsonLdFaults(text: string, origin: string): string[] {
  let block: unknown
  try {
    block = JSON.parse(text)
  } catch (error) {
    return [`no JSON: ${(error as Error).message}`]
  }
  const faults: string[] = []
  const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
  if (!isObject(block) || block['@context'] !== 'https://schema.org') faults.push('@context is not https://schema.org')
  const look = (value: unknown, at: string): void => {
    if (Array.isArray(value)) return value.forEach((one, index) => look(one, `${at}[${index}]`))
    if (!isObject(value)) return
    const type = value['@type']
    if (typeof type === 'string')
      for (const name of REQUIRED_PROPERTIES[type] ?? [])
        if (value[name] === undefined || value[name] === '') faults.push(`${at} ${type} without ${name}`)
    for (const name of URL_PROPERTIES) {
      const address = value[name]
      if (typeof address === 'string' && !/^https?:\/\//.test(address))
        faults.push(`${at}.${name} is no whole address: ${address}`)
      if (typeof address === 'string' && address.startsWith('http://localhost') && !address.startsWith(origin))
        faults.push(`${at}.${name} names another host: ${address}`)
    }
    const items = type === 'BreadcrumbList' ? value['itemListElement'] : undefined
    if (Array.isArray(items))
      items.forEach((item, index) => {
        if (isObject(item) && item['position'] !== index + 1)
          faults.push(`${at} position ${String(item['position'])} at ${index + 1}`)
        if (isObject(item) && index < items.length - 1 && !item['item'])
          faults.push(`${at} breadcrumb ${index + 1} leads nowhere`)
      })
    for (const [name, inner] of Object.entries(value)) look(inner, `${at}.${name}`)
  }
  look(block, '$')
  return faults
}
