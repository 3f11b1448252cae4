import { jsonLdFaults } from '#tests/crawl/json-ld.ts'
import { validateHtml, readPage } from '#tests/crawl/html-page.ts'
import { buildReport } from '#tests/crawl/report.ts'
import { readSitemap } from '#tests/crawl/sitemap.ts'
import { walk } from '#tests/crawl/walk.ts'
import { expectedAddresses } from '#tests/crawl/expected-addresses.ts'
import { isWholeRun } from '#tests/support/sample.ts'
import { assert, dog, member, seed, startServer, suite, type TestServer } from '#tests/support/suites.ts'

// `npm run crawl` finds no fault in a small community.
const crawl = suite<{ server: TestServer; wanted: string[] }>('api/pages/crawl')

crawl.before(async (t) => {
  const env: Record<string, string> = { RENDERS_PER_MINUTE: '0', PAGE_CACHE_POLL_MS: '1000' }
  t.server = await startServer(env)
  // With an address there are sitemaps and structured data; its port is known only now.
  env.SITE_URL = t.server.url
  await t.server.restart()
  await seed(
    t.server.db,
    member({ alias: 'Ana & <Luis>' }),
    member({ alias: 'Sin perros' }),
    dog({ name: 'Toby', breed: 'Beagle', zone: 'Jaca', photos: 3, description: '¿«Ladra» & <muerde>?' }),
    dog({ name: 'Toby', breed: 'Beagle' }),
    dog({ name: 'Ñandú', breed: 'Mestizo', zone: 'A Coruña' }),
    ...Array.from({ length: 30 }, () => dog()),
  )
  t.wanted = await expectedAddresses(t.server.db)
})
crawl.after(({ server }) => server.dispose())

crawl('plain links reach every page, and none is broken or invalid', async ({ server, wanted }) => {
  // `npm run crawl` asks for every drawn card and validates every page.
  // Uncompressed: packing and unpacking hundreds of pages would take a third of the time.
  const headers = { 'Accept-Encoding': 'identity' }
  const walked = await walk(server.url, { perFolder: isWholeRun ? 60 : 6, headers })
  const listed = await readSitemap(server.url)
  const { figures, faults } = await buildReport(server.url, walked, {
    expected: wanted,
    listed,
    perTemplate: isWholeRun ? 10 : 2,
  })
  assert.ok(figures['pages of HTML']! > 480, JSON.stringify(figures))
  assert.ok(figures['JSON-LD blocks']! > 470, JSON.stringify(figures))
  assert.is(figures['addresses in the sitemap'], figures['pages search engines keep'])
  // Seeded dogs' photos have no files.
  faults['broken files'] = faults['broken files']!.filter((fault) => !fault.includes('/photos/'))
  assert.equal(
    Object.entries(faults).filter(([, found]) => found.length > 0),
    [],
  )
})

crawl('a page is parsed as a browser parses it', () => {
  const page = readPage(
    `<!doctype html><html lang="es"><head><title>Toby &amp; Luna</title><meta name="description" content="«Dos» &#38; más">
    <link rel="canonical" href="/beagle/toby"><meta name="robots" content="noindex, follow">
    <link rel="stylesheet" href="/a.css"><script type="application/ld+json">{"@context":"https://schema.org"}</script></head>
    <body><h1 id="uno">Toby</h1><a href="/razas?modo=mias&amp;vista=lista#dos">Razas</a>
    <img src="/_ipx/s_1x1,q_95/a.jpg" srcset="/_ipx/s_1x1,q_95/a.jpg 300w, /_ipx/s_2x2,q_95/a.jpg 600w" alt=""></body></html>`,
  )
  assert.equal(page, {
    title: 'Toby & Luna',
    description: '«Dos» & más',
    canonical: '/beagle/toby',
    isNoindex: true,
    headings: 1,
    links: ['/razas?modo=mias&vista=lista#dos'],
    resources: ['/a.css', '/_ipx/s_1x1,q_95/a.jpg', '/_ipx/s_1x1,q_95/a.jpg', '/_ipx/s_2x2,q_95/a.jpg'],
    ids: new Set(['uno']),
    jsonLd: ['{"@context":"https://schema.org"}'],
  })
})

crawl('the crawler detects planted faults', async () => {
  const html = '<!doctype html><html lang="es"><head><title>a</title></head><body><p><div>b</div></p></body></html>'
  assert.ok((await validateHtml(html)).length > 0)
  const faults = (block: unknown) => jsonLdFaults(JSON.stringify(block), 'https://perrario.example')
  assert.equal(jsonLdFaults('{', 'https://perrario.example').length, 1)
  assert.equal(faults({ '@context': 'https://schema.org', '@type': 'ImageObject', contentUrl: '/a.jpg' }), [
    '$.contentUrl is no whole address: /a.jpg',
  ])
  assert.equal(faults({ '@context': 'https://schema.org', '@type': 'ProfilePage' }), [
    '$ ProfilePage without mainEntity',
  ])
})
