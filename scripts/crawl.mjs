// npm run crawl: builds, then walks through the demo by its links (tests/crawl/) and prints what a search engine would find: broken
// links, redirect chains, orphans, duplicate titles, invalid HTML and JSON-LD. Ends with 1 where anything is wrong.
// npm run crawl -- https://example.org    a site that runs already, as visitors see it
import { spawnSync } from 'node:child_process'
import { build, childEnv, install, node } from './lib/setup.mjs'

install()
if (process.argv.length < 3) build()
const args = ['--disable-warning=ExperimentalWarning', 'tests/crawl/crawl.ts', ...process.argv.slice(2)]
const { status } = spawnSync(node, args, { stdio: 'inherit', env: childEnv() })
process.exit(status ?? 1)
