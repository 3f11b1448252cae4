import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Cuts readers who have taken nothing of what waits for them over `looks` looks, `every` ms apart: gone, or holding sockets
 * open on purpose. Not by `server.setTimeout`, which sets a timer anew at every read and write: a kept page took a third
 * longer with it.
 * @returns stops looking
 */
export function closeStalledSockets(server: Server, every = 60_000, looks = 3): () => void {
  const sockets = new Map<Socket, { waiting: number; looks: number }>()
  server.on('connection', (socket) => {
    sockets.set(socket, { waiting: 0, looks: 0 })
    socket.once('close', () => sockets.delete(socket))
  })
  const timer = setInterval(() => {
    for (const [socket, seen] of sockets) {
      const waiting = socket.writableLength
      seen.looks = waiting > 0 && waiting === seen.waiting ? seen.looks + 1 : 0
      seen.waiting = waiting
      if (seen.looks >= looks) socket.destroy()
    }
  }, every)
  timer.unref()
  return () => clearInterval(timer)
}
