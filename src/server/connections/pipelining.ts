import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { incrementCounter } from '#server/counters.ts'

/**
 * Requests of one connection that may wait behind the one that is being answered. Behind an answer that never ends, such as a
 * stream of events, they would pile up in memory.
 */
const MAX_PIPELINED_REQUESTS = 50
const waitingRequests = new WeakMap<Socket, number>()

/**
 * Begins a request when the answers to earlier ones of its connection have ended. Pipelined requests, which no browser sends, are
 * therefore processed one after another: six hundred fit one packet, and a client that reads none of the answers would fill the
 * memory with as many pictures. More than MAX_PIPELINED_REQUESTS end the connection.
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
    waitingRequests.set(socket, (waitingRequests.get(socket) ?? 1) - 1)
    setImmediate(begin)
  })
}
