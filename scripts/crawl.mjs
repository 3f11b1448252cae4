// npm run crawl: builds, then follows the demo's links (tests/crawl/) and prints the faults a search engine would find: broken
// links, redirect chains, orphans, duplicate titles, invalid HTML and JSON-LD. Exit 1 where there is any.
// npm run crawl -- https://example.org    crawls a site that is already running, as visitors see it
import { launch } from './lib/launch.mjs'
import { build, requireInstalled } from './lib/setup.mjs'

requireInstalled()
if (process.argv.length < 3) build()
launch('tests/crawl/crawl.ts')
