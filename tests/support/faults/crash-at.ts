import { existsSync, promises, readFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

// Loaded before a server (`node --import`): ends the process, as a power cut would, at the first operation on a photo's file
// of the kind that the file DIE_AT names. «link» has been done by then, the others have not been begun.

const flag = process.env.DIE_AT ?? ''
// Not cache/photos: a render that ends after its photo was removed deletes its own folder at any time.
const isPhoto = (path: unknown) => /(?<!\/cache)\/photos\/(held\/)?[^/]+\.jpg$/.test(String(path))
const isTargeted = (operation: string, path: unknown) =>
  isPhoto(path) && existsSync(flag) && readFileSync(flag, 'utf8') === operation
const killProcess = () => process.kill(process.pid, 'SIGKILL')

for (const operation of ['rm', 'rename'] as const) {
  const real = promises[operation] as (...args: unknown[]) => Promise<void>
  Object.assign(promises, {
    [operation]: (...args: unknown[]) => {
      if (isTargeted(operation, args[0])) killProcess()
      return real(...args)
    },
  })
}
const { link } = promises
promises.link = async (from, to) => {
  await link(from, to)
  if (isTargeted('link', to)) killProcess()
}
syncBuiltinESMExports()
