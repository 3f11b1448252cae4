import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'

/** The way between nodes and their PostgreSQL, which a test can cut. */
export interface Cable {
  /** The database's address by this way. */
  url: string
  /** Breaks all connections at once, as a restart of PostgreSQL does; new ones go through. */
  cut: () => void
  /** Breaks all connections and takes no new one, until `mend`. */
  unplug: () => Promise<void>
  mend: () => Promise<void>
  /** Holds back what clients send from the first packet with `text` on, until `flow`: to them the network drops packets. */
  stall: (text?: string) => void
  flow: () => void
  /** How many connections clients have open. */
  countConnections: () => number
  close: () => Promise<void>
}

/** @param target the address of a database on the socket of the run's PostgreSQL */
export async function startCable(target: string): Promise<Cable> {
  const address = new URL(target)
  const socketPath = join(address.searchParams.get('host') ?? '', '.s.PGSQL.5432')
  const open = new Set<Socket>()
  let stalledText: string | undefined
  /** Sends what is held back, by client. */
  const heldBack = new Map<Socket, (() => void)[]>()
  const cut = () => {
    for (const socket of open) socket.destroy()
  }
  const server = createServer((near) => {
    const far = connect(socketPath)
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(socket)
      socket
        .on('error', () => {})
        .on('close', () => {
          open.delete(socket)
          other.destroy()
        })
    }
    heldBack.set(near, [])
    near.on('close', () => heldBack.delete(near))
    near.on('data', (packet) => {
      const held = heldBack.get(near) ?? []
      if (held.length > 0 || (stalledText !== undefined && packet.includes(stalledText)))
        held.push(() => far.write(packet))
      else far.write(packet)
    })
    far.pipe(near)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  address.host = `127.0.0.1:${port}`
  address.search = ''
  return {
    url: address.href,
    cut,
    async unplug() {
      server.close()
      cut()
    },
    async mend() {
      server.listen(port, '127.0.0.1')
      await once(server, 'listening')
    },
    stall(text = '') {
      stalledText = text
    },
    flow() {
      stalledText = undefined
      for (const held of heldBack.values()) for (const send of held.splice(0)) send()
    },
    countConnections: () => heldBack.size,
    async close() {
      server.close()
      cut()
    },
  }
}
