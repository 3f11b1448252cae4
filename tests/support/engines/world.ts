import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { phonePhoto } from '#tests/support/photos/test-pictures.ts'
import { dog, member, seed, signIn } from '../seed.ts'
import { startServer, type TestServer } from '../server.ts'

export interface EngineWorld {
  server: TestServer
  /** As browsers ask for it: cookies and workers need its name. */
  origin: string
  /** Another member, who acts by the API. */
  luis: { id: string; cookie: string }
  /** A JPEG of a camera's kind on the disk. */
  photo: string
}

/** A server with a community: beagles in Toledo, a galgo alone in Cáceres, each with a photo. */
export async function createEngineWorld(): Promise<EngineWorld> {
  const server = await startServer()
  const origin = server.url.replace('127.0.0.1', 'localhost')
  const jpeg = await phonePhoto(800, 600)
  const [, lone] = await seed(
    server.db,
    member({ alias: 'Luis', email: 'luis@ejemplo.es' }),
    dog({ name: 'Viento', breed: 'Galgo español', zone: 'Cáceres', age: 3 }),
  )
  const others = []
  for (let i = 1; i <= 12; i++)
    others.push(...(await seed(server.db, dog({ name: `Bolo ${i}`, zone: 'Toledo', age: i, owner_id: lone.owner_id }))))
  for (const { images } of [lone, ...others])
    for (const { url } of images) {
      const path = join(server.dataDir, url)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, jpeg)
    }
  const photo = join(server.dataDir, 'nieve.jpg')
  writeFileSync(photo, await phonePhoto(1600, 1200))
  return { server, origin, luis: await signIn(server, 'luis@ejemplo.es'), photo }
}

/** Has the server make the photos of a page beforehand: what a browser takes is measured, not what sharp does. */
export async function prerenderPhotos({ server }: EngineWorld, path: string): Promise<void> {
  const html = await (await fetch(server.url + path)).text()
  const sources = [...html.matchAll(/(?:src|srcset)="([^"]*\/_ipx\/[^"]*)"/gi)].flatMap(([, list]) =>
    list!
      .replaceAll('&amp;', '&')
      .split(', ')
      .map((each) => each.split(' ')[0]!),
  )
  for (const source of new Set(sources)) await (await fetch(new URL(source, server.url))).arrayBuffer()
}
