// A process that runs the test files that scripts/test.mjs sends, one after another. They share its loaded modules and, in
// tests/browser, its Chromium (tests/support/browser/chromium.ts). After null it ends once nothing is open.
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

// uvu then waits for `exec` instead of starting by itself.
globalThis.UVU_DEFER = 1
globalThis.UVU_INDEX = 0
const { exec } = await import('uvu')
const { loadedSuites } = await import('#tests/support/suites.ts')

/** The line after a file's output. Unlike an IPC message it cannot arrive before the output. */
const END_OF_FILE = process.argv[2]

/** Undoes a file's changes of the environment and the globals. */
function restoreGlobals(env, globals) {
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name]
  Object.assign(process.env, env)
  for (const name of Object.getOwnPropertyNames(globalThis)) if (!globals[name]) delete globalThis[name]
  for (const [name, descriptor] of Object.entries(globals))
    if (descriptor.configurable && 'value' in descriptor && descriptor.value !== globalThis[name])
      Object.defineProperty(globalThis, name, descriptor)
}

process.on('message', async (file) => {
  if (file === null) return process.disconnect()
  const env = { ...process.env }
  const globals = Object.getOwnPropertyDescriptors(globalThis)
  globalThis.UVU_QUEUE.splice(0, Infinity, [null])
  loadedSuites.clear()
  process.exitCode = 0
  try {
    await import(pathToFileURL(resolve(file)).href)
    for (const test of loadedSuites) test.run()
    await exec()
  } catch (error) {
    console.error(error)
    process.exitCode = 1
  }
  const status = process.exitCode
  // The line below reports the file's status; the process's own exit code is separate.
  process.exitCode = 0
  restoreGlobals(env, globals)
  process.stdout.write(`\n${END_OF_FILE} ${status}\n`)
})
process.send('ready')
