import type { Page } from 'playwright'

export interface ParsedPage {
  status: number
  /** What of it would run, as «tag attribute=value»: handlers, scripts of no file, addresses of scripts, frames of markup. */
  scripts: string[]
  /** The files of its scripts and islands. */
  files: string[]
  /** Its elements by tag and attributes' names, a line each. */
  outline: string
  html: string
}

/**
 * Asks for pages as the page's own visitor or member would, and parses them: nothing of them is run.
 * @param addresses of the page's own origin
 */
export const parsePages = (page: Page, addresses: readonly string[]): Promise<ParsedPage[]> =>
  page.evaluate(async (addresses) => {
    const URL_ATTRIBUTE = /^([a-z]+:)?(href|src|action|formaction|data|from|to|values|hx-[a-z]+)$/i
    // Browsers leave out tabs and line breaks.
    const isScriptUrl = (value: string) => /^\W*javascript:/i.test(value.replaceAll(/[\t\r\n]/g, ''))
    const elementsOf = (root: ParentNode): Element[] =>
      [...root.querySelectorAll('*')].flatMap((one) =>
        one instanceof HTMLTemplateElement ? [one, ...elementsOf(one.content)] : [one],
      )
    const scriptsOf = (one: Element): string[] => {
      const name = one.tagName.toLowerCase()
      const attributes = [...one.attributes].filter(
        ({ name, value }) => /^(on|hx-on|srcdoc$)/i.test(name) || (URL_ATTRIBUTE.test(name) && isScriptUrl(value)),
      )
      const runs = one instanceof HTMLScriptElement && /\bran\b/.test(one.text) && !/json/.test(one.type)
      return [
        ...attributes.map((each) => `${name} ${each.name}=${each.value.slice(0, 80)}`),
        ...(runs ? [`${name}: ${one.text.slice(0, 80)}`] : []),
      ]
    }
    const read = async (address: string) => {
      const answer = await fetch(address, { headers: { Accept: 'text/html' } })
      const html = await answer.text()
      const elements = elementsOf(new DOMParser().parseFromString(html, 'text/html'))
      const files = elements.flatMap((one) =>
        ['component-url', ...(one.tagName === 'SCRIPT' ? ['src'] : [])].flatMap((name) => one.getAttribute(name) ?? []),
      )
      const outline = elements
        .map((one) => [one.tagName, ...[...one.attributes].map(({ name }) => name)].join(' '))
        .join('\n')
      return { status: answer.status, scripts: elements.flatMap(scriptsOf), files, outline, html }
    }
    const pages = []
    for (const address of addresses) pages.push(await read(address))
    return pages
  }, addresses)
