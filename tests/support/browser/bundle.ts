import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sirv from 'sirv'
import { build } from 'vite'
import { root } from '#tests/support/sources.ts'

export interface Bundle {
  url: string
  /** The paths that browsers asked for, in order. */
  requests: string[]
  dispose: () => Promise<void>
}

/**
 * Builds browser code of ours as the site's build would and serves it on a bare page, for what no page shows by itself.
 * @param html the page; its scripts import from `src`, and `answer` may answer requests before the files do
 */
export async function serveBundle(
  html: string,
  answer: (req: IncomingMessage, res: ServerResponse) => boolean = () => false,
): Promise<Bundle> {
  // Below the root, so that `#` imports and packages are found as from our own files.
  mkdirSync(join(root, '.cache'), { recursive: true })
  const folder = mkdtempSync(join(root, '.cache/bundle-'))
  const out = mkdtempSync(join(tmpdir(), 'perrario-bundle-'))
  writeFileSync(join(folder, 'index.html'), html)
  await build({
    root: folder,
    configFile: false,
    logLevel: 'error',
    publicDir: join(root, 'public'),
    build: { outDir: out, emptyOutDir: true, assetsInlineLimit: 0, minify: false },
  })
  rmSync(folder, { recursive: true })
  const files = sirv(out)
  const asked: string[] = []
  const server = createServer((req, res) => {
    asked.push(req.url!)
    if (!answer(req, res)) files(req, res, () => void res.writeHead(404).end())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  return {
    url: `http://127.0.0.1:${port}`,
    requests: asked,
    dispose: async () => {
      server.closeAllConnections()
      server.close()
      rmSync(out, { recursive: true })
    },
  }
}
