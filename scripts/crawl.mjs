// npm run crawl: builds, then walks through the demo by its links (tests/crawl/) and prints what a search engine would find: broken
// links, redirect chains, orphans, duplicate titles, invalid HTML and JSON-LD. Ends with 1 where anything is wrong.
// npm run crawl -- https://example.org    a site that runs already, as visitors see it
import { launch } from './lib/launch.mjs'
import { build, install } from './lib/setup.mjs'

install()
if (process.argv.length < 3) build()
launch('tests/crawl/crawl.ts')
