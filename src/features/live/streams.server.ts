import type { IncomingMessage, ServerResponse } from 'node:http'

/** Streams of one member at once, who has one in each browser. Opening a stream looks up its member's session. */
const STREAMS_PER_MEMBER = 50

/** A member with open streams. All of them share this object, because a block list may be long. */
export interface StreamMember {
  id: string
  streamCount: number
  /** The members whom this one has blocked, or was blocked by. */
  blockedIds: ReadonlySet<string>
}

export interface Stream {
  res: ServerResponse
  req: IncomingMessage
  /** The reader's network: an IPv4 address or an IPv6 /64. */
  network: string
  /** Null for a visitor. */
  member: StreamMember | null
}

/** The open streams of this process, bounded in total, by network and by member. */
export class StreamRegistry {
  /** The streams that receive new events. A stream that still receives its history is not among them. */
  readonly live = new Set<Stream>()
  readonly #maxTotal: number
  readonly #maxPerNetwork: number
  readonly #countByNetwork = new Map<string, number>()
  readonly #members = new Map<string, StreamMember>()
  #openCount = 0

  constructor(maxTotal: number, maxPerNetwork: number) {
    this.#maxTotal = maxTotal
    this.#maxPerNetwork = maxPerNetwork
  }

  hasCapacity(network: string): boolean {
    return this.#openCount < this.#maxTotal && (this.#countByNetwork.get(network) ?? 0) < this.#maxPerNetwork
  }

  /** Counts a stream from now until its response closes. Check `hasCapacity` first, and await nothing in between. */
  open(req: IncomingMessage, res: ServerResponse, network: string): Stream {
    const stream: Stream = { req, res, network, member: null }
    this.#countByNetwork.set(network, (this.#countByNetwork.get(network) ?? 0) + 1)
    this.#openCount++
    res.on('close', () => this.#release(stream))
    return stream
  }

  /** Makes the stream a member's. @returns the member; undefined, and nothing changes, where they have too many streams */
  assignMember(stream: Stream, userId: string): StreamMember | undefined {
    const member = this.#members.get(userId) ?? { id: userId, streamCount: 0, blockedIds: new Set() }
    if (member.streamCount >= STREAMS_PER_MEMBER) return undefined
    member.streamCount++
    this.#members.set(userId, member)
    stream.member = member
    return member
  }

  #release(stream: Stream): void {
    this.live.delete(stream)
    this.#openCount--
    if (stream.member && --stream.member.streamCount === 0) this.#members.delete(stream.member.id)
    const left = (this.#countByNetwork.get(stream.network) ?? 1) - 1
    if (left > 0) this.#countByNetwork.set(stream.network, left)
    else this.#countByNetwork.delete(stream.network)
  }
}
