import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { incrementCounter } from '#server/counters.ts'

/**
 * Requests of one connection that may wait behind the one it is answered. Behind one whose answer never ends, as a stream of
 * events, they would be read and kept as long as somebody sends any.
 */
const MAX_PIPELINED_REQUESTS = 50
const waitingRequests = new WeakMap<Socket, number>()

/**
 * Begins a request once its connection is answered nothing else. Requests sent in a row on one connection, as no browser does, are
 * worked on in a row: six hundred fit one packet, and whoever then reads nothing would have as many pictures stand in memory. One
 * too many ends the connection.
 */
export function queuePipelined(req: IncomingMessage, res: ServerResponse, begin: () => void): void {
  if (res.socket) return begin()
  const { socket } = req
  const count = (waitingRequests.get(socket) ?? 0) + 1
  waitingRequests.set(socket, count)
  if (count > MAX_PIPELINED_REQUESTS) {
    if (!socket.destroyed) incrementCounter('connections dropped', 'pipelined')
    return void socket.destroy()
  }
  res.once('socket', () => {
    waitingRequests.set(socket, waitingRequests.get(socket)! - 1)
    setImmediate(begin)
  })
}
