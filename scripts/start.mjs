// npm start, npm run demo, npm run dev: from a fresh clone to a page, with any Node >= 20.
// --demo serves ./var/demo filled with a demo community; --dev runs Astro's development server.
import { replaceProcess, build, install, runtime, node, say } from './lib/setup.mjs'

install()
if (process.argv.includes('--dev')) {
  say('servidor de desarrollo')
  replaceProcess(node, ['node_modules/astro/bin/astro.mjs', 'dev', '--port', process.env.PORT || '4321'])
} else {
  build()
  const demo = process.argv.includes('--demo')
  const args = [...runtime.args, 'scripts/serve.mjs', ...(demo ? ['--demo'] : [])]
  const dataDir = demo ? { DATA_DIR: process.env.DATA_DIR || './var/demo' } : {}
  replaceProcess(node, args, { ...runtime.env, ...dataDir })
}
