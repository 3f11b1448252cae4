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
  /** The reader's site: an IPv4 address or an IPv6 /48 (`toSitePrefix`). */
  site: string
  /** Null for a visitor. */
  member: StreamMember | null
  /** The id up to which a live stream has the events. */
  position: number
}

/**
 * The open streams of this process, bounded in total, by site and by member. Where all are taken, a site with more streams than the newcomer's
 * gives one up, so that a few sites that open all of them switch nothing off for others.
 */
export class StreamRegistry {
  /** The streams that receive new events. A stream that still receives its history is not among them. */
  readonly live = new Set<Stream>()
  readonly #maxTotal: number
  readonly #maxPerSite: number
  /** From the oldest on. */
  readonly #bySite = new Map<string, Set<Stream>>()
  readonly #members = new Map<string, StreamMember>()
  #openCount = 0

  constructor(maxTotal: number, maxPerSite: number) {
    this.#maxTotal = maxTotal
    this.#maxPerSite = maxPerSite
  }

  /**
   * Whether one more stream of that site may be opened. Where all are taken, it ends one of the site that has most: a visitor's before a member's,
   * the oldest first.
   */
  makeRoom(site: string): boolean {
    const sizeOf = (name: string) => this.#bySite.get(name)?.size ?? 0
    if (sizeOf(site) >= this.#maxPerSite) return false
    if (this.#openCount < this.#maxTotal) return true
    const largest = [...this.#bySite.keys()].reduce((a, b) => (sizeOf(b) > sizeOf(a) ? b : a), site)
    // Otherwise two sites would take it from each other for ever.
    if (sizeOf(largest) <= sizeOf(site) + 1) return false
    const streams = [...this.#bySite.get(largest)!]
    const ended = streams.find(({ member }) => member === null) ?? streams[0]!
    this.#release(ended)
    // Its reader reconnects; one that never reads would not be ended otherwise.
    ended.res.destroy()
    return true
  }

  /** Counts a stream from now until its response closes. Call `makeRoom` first, and await nothing after it. */
  open(req: IncomingMessage, res: ServerResponse, site: string): Stream {
    const stream: Stream = { req, res, site, member: null, position: 0 }
    const ofSite = this.#bySite.get(site)
    if (ofSite) ofSite.add(stream)
    else this.#bySite.set(site, new Set([stream]))
    this.#openCount++
    res.on('close', () => this.#release(stream))
    return stream
  }

  /** Reads the blocks of a member with open streams again; on failure the earlier ones stay. */
  async readBlocks(userId: string, find: (userId: string) => Promise<ReadonlySet<string>>): Promise<void> {
    const member = this.#members.get(userId)
    if (member) member.blockedIds = await find(userId).catch(() => member.blockedIds)
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
    const ofSite = this.#bySite.get(stream.site)
    // Released already, when it was ended for another.
    if (!ofSite?.delete(stream)) return
    if (ofSite.size === 0) this.#bySite.delete(stream.site)
    this.live.delete(stream)
    this.#openCount--
    if (stream.member && --stream.member.streamCount === 0) this.#members.delete(stream.member.id)
  }
}
