import { existsSync, promises } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

// Loaded before a server (`node --import`): while the file FULL_AT is there, a photo is written half, and then the disk is full.

const flag = process.env.FULL_AT ?? ''
const { open } = promises

promises.open = async (path, ...rest) => {
  const handle = await open(path, ...rest)
  if (!/\/photos\/[^/]+\.part$/.test(String(path)) || !existsSync(flag)) return handle
  const write = handle.writeFile.bind(handle)
  handle.writeFile = async (data, ...more) => {
    const bytes = data as Uint8Array
    await write(bytes.subarray(0, bytes.length / 2), ...more)
    throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
  }
  return handle
}
syncBuiltinESMExports()
