import { renderCard } from '#features/share/cards.server.ts'
import { findCardData } from '#features/share/card-data.server.ts'
import type { CardKind } from '#features/share/share.ts'
import type { TestServer } from '../server.ts'
import { clientHeaders } from './action-context.ts'
import type { Cast, World } from './world.ts'

/** A picture for sharing, as a client received it. */
export interface Card {
  kind: CardKind
  path: string
  bytes: Buffer
}

/** Of whom pictures are compared point by point: each takes a tenth of a second to draw. */
const COMPARED_WORLDS =
  /^(editDog|deleteDog|hideDog|hideDog → restoreDog|hidePhoto|removePhoto|quarantine → restoreDog|rename|hideProfile|hideProfile → restoreProfile|ban|ban → unban|eraseAll|eraseButDogs|leaveAll|leaveAll → comeBack|leaveButDogs|crowdDog|crowdDog → restoreDog|crowdPhoto|crowdProfile|anonymous|anonymous → restoreDog)$/

const idOf = ({ toby, ana }: World, kind: CardKind) => (kind === 'miembro' ? ana.id : toby.id)
const KINDS = ['perro', 'cromo', 'miembro'] as const

const fetchCard = (server: TestServer, world: World, path: string) =>
  fetch(server.url + path, { headers: clientHeaders(world) })

/** Has the server draw the pictures of these worlds, and keep them: asked for twice, under the address that pages name. */
export async function requestCards(server: TestServer, worlds: readonly World[]): Promise<Map<World, Card[]>> {
  const drawn = new Map<World, Card[]>()
  for (const world of worlds.filter(({ name }) => COMPARED_WORLDS.test(name))) {
    const cards: Card[] = []
    for (const kind of KINDS) {
      const bare = `/tarjetas/${kind}/${idOf(world, kind)}.jpg`
      const first = await fetchCard(server, world, bare)
      if (first.status !== 200) continue
      const path = `${bare}?v=${first.headers.get('etag')!.slice(1, -1)}`
      const bytes = Buffer.from(await (await fetchCard(server, world, path)).arrayBuffer())
      cards.push({ kind, path, bytes })
    }
    drawn.set(world, cards)
  }
  return drawn
}

const isCardPublic = (world: World, kind: CardKind): boolean => {
  const states = kind === 'miembro' ? (['alias', 'otheralias'] as const) : (['name', 'othername'] as const)
  const hasState = states.some((canary) => world.states.get(canary) === 'shown')
  return hasState && !(kind === 'miembro' && world.isBanned)
}

/** Whether the picture has to look otherwise than before anything was done: other words, or another cover. */
const mustDiffer = ({ states, photos, token }: World, kind: CardKind): boolean => {
  if (kind !== 'miembro') return states.get('name') !== 'shown' || photos[0] !== 'shown'
  // A dog that was added without account was never on its member's picture.
  return states.get('alias') !== 'shown' || (!token && photos[0] !== 'shown')
}

/**
 * Pictures for sharing that answer though what they show is not in the open, that do not though it is, or that show anything
 * but how it stands now. Asked for under the addresses of before, too.
 */
export async function cardFaults(
  server: TestServer,
  { db, dataDir }: Cast,
  worlds: readonly World[],
  before: ReadonlyMap<World, readonly Card[]>,
): Promise<string[]> {
  const faults: string[] = []
  for (const world of worlds)
    for (const kind of KINDS) {
      const id = idOf(world, kind)
      const old = before.get(world)?.find((card) => card.kind === kind)
      const wanted = isCardPublic(world, kind) ? 200 : 404
      // Those that are not compared are asked for only where nothing is drawn.
      if (wanted === 200 && !before.has(world)) continue
      for (const path of [`/tarjetas/${kind}/${id}.jpg`, ...(old ? [old.path] : [])]) {
        const response = await fetchCard(server, world, path)
        const bytes = Buffer.from(await response.arrayBuffer())
        if (response.status !== wanted) faults.push(`${world.name}: ${path} answers ${response.status}, not ${wanted}`)
        if (response.status !== 200 || wanted !== 200) continue
        const now = await renderCard((await findCardData(db, dataDir, kind, id))!, dataDir)
        if (!bytes.equals(now)) faults.push(`${world.name}: ${path} does not show what stands now`)
        if (old && mustDiffer(world, kind) && bytes.equals(old.bytes))
          faults.push(`${world.name}: ${path} shows what stood before`)
      }
    }
  return faults
}
