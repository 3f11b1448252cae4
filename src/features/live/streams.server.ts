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

/** The open streams of this process, bounded in total, by site and by member. */
export class StreamRegistry {
  /** The streams that receive new events. A stream that still receives its history is not among them. */
  readonly live = new Set<Stream>()
  readonly #maxTotal: number
  readonly #maxPerSite: number
  readonly #countBySite = new Map<string, number>()
  readonly #members = new Map<string, StreamMember>()
  #openCount = 0

  constructor(maxTotal: number, maxPerSite: number) {
    this.#maxTotal = maxTotal
    this.#maxPerSite = maxPerSite
  }

  hasCapacity(site: string): boolean {
    return this.#openCount < this.#maxTotal && (this.#countBySite.get(site) ?? 0) < this.#maxPerSite
  }

  /** Counts a stream from now until its response closes. Check `hasCapacity` first, and await nothing after it. */
  open(req: IncomingMessage, res: ServerResponse, site: string): Stream {
    const stream: Stream = { req, res, site, member: null, position: 0 }
    this.#countBySite.set(site, (this.#countBySite.get(site) ?? 0) + 1)
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
    this.live.delete(stream)
    this.#openCount--
    if (stream.member && --stream.member.streamCount === 0) this.#members.delete(stream.member.id)
    const left = (this.#countBySite.get(stream.site) ?? 1) - 1
    if (left > 0) this.#countBySite.set(stream.site, left)
    else this.#countBySite.delete(stream.site)
  }
}
