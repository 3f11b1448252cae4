import { createHash, randomUUID } from 'node:crypto'
import type { Trx as Db } from '#db/client.ts'
import { type Answer, call, formOf } from '#tests/support/api.ts'
import { type Fact, readFact, type FactValue } from './write-facts.ts'
import { lastMailTo } from '#tests/support/outbox.ts'
import { photo } from '#tests/support/photos/sample-photos.ts'
import type { TestServer } from '#tests/support/server.ts'

export interface Member {
  id: string
  cookie: string
}

/** Who has just come, and the fact of their session. */
interface NewMember extends Member {
  alias: string
  session: string
}

/** Changes of a dog that one has. */
const NEEDS_OWN_DOG = ['gallery', 'rename', 'remove']
const EMOJIS = ['🐶', '🐕', '🦮', '🐩', '🐾', '🦴']

/**
 * Members who write all the time, each one action after another, and remember what the server acknowledged. What was under
 * way when it died may have happened or not; everything else must be there.
 */
export class WriteLoad {
  readonly acknowledged: Record<string, number> = {}
  /** Statuses that nothing here explains. */
  readonly unexpectedAnswers: string[] = []
  private readonly facts = new Map<string, Fact>()
  private readonly server: TestServer
  private readonly members: readonly Member[]
  /** Dogs that everyone likes and comments on, and nobody deletes. */
  private readonly sharedDogs: readonly string[]
  private readonly random: () => number
  private photos: Buffer<ArrayBuffer>[] = []
  private isRunning = false
  /** What the first member does next, before anything by chance. */
  private firstKinds: string[] = []
  private runs: Promise<void>[] = []

  constructor(server: TestServer, members: readonly Member[], common: readonly string[], chance: () => number) {
    this.server = server
    this.members = members
    this.sharedDogs = common
    this.random = chance
  }

  /** @param first kinds that the first member begins with, so that short runs meet the rare ones too */
  async start(first: readonly string[] = []): Promise<void> {
    if (this.photos.length === 0) this.photos = await Promise.all([40, 120, 200].map((shade) => photo(shade, 640, 480)))
    this.isRunning = true
    this.firstKinds = first.flatMap((kind) => (NEEDS_OWN_DOG.includes(kind) ? ['add', kind] : [kind]))
    this.runs = this.members.map((member) => this.runMember(member))
  }

  /** Resolves when so many writes more were acknowledged and all `kinds` once, or after half a minute. */
  async waitForWrites(writes: number, kinds: readonly string[] = []): Promise<void> {
    const count = () => Object.values(this.acknowledged).reduce((sum, n) => sum + n, 0)
    const wanted = count() + writes
    const isDone = () => count() >= wanted && kinds.every((kind) => this.acknowledged[kind])
    for (let i = 0; i < 1500 && !isDone(); i++) await new Promise((done) => setTimeout(done, 20))
  }

  /** Resolves when everyone has noticed that the server is gone. */
  async stop(): Promise<void> {
    this.isRunning = false
    await Promise.all(this.runs)
  }

  /** What was acknowledged and is not there. What was under way is taken as it is found. */
  async findLostWrites(db: Db): Promise<string[]> {
    const lost: string[] = []
    for (const [key, fact] of this.facts) {
      const found = await readFact(db, key)
      if (!fact.isSure) Object.assign(fact, { value: found, isSure: true })
      else if (found !== fact.value) lost.push(`${key}: ${fact.value} was acknowledged, ${found} is there`)
    }
    return lost
  }

  private async runMember(member: Member): Promise<void> {
    const byKind: Record<string, (member: Member) => Promise<unknown>> = {
      like: this.like,
      comment: this.comment,
      uncomment: this.deleteComment,
      add: this.addDog,
      rename: this.renameDog,
      gallery: this.replaceGallery,
      remove: this.deleteDog,
      profile: this.emoji,
      report: this.report,
      erase: this.deleteAccount,
    }
    const actions = [this.like, ...Object.values(byKind)]
    while (this.isRunning) {
      const kind = member === this.members[0] ? this.firstKinds.shift() : undefined
      const action = (kind && byKind[kind]) || this.pick(actions)!
      try {
        await action.call(this, member)
      } catch {
        // No answer: the server was killed.
        await new Promise((done) => setTimeout(done, 20))
      }
    }
  }

  private pick<T>(list: readonly T[]): T | undefined {
    return list[Math.floor(this.random() * list.length)]
  }

  /** The facts of a kind that are there now, and sure. */
  private knownIds(kind: string, owner: string): string[] {
    const own = this.owned.get(owner) ?? new Set()
    return [...own].filter((id) => {
      const fact = this.facts.get(`${kind} ${id}`)
      return fact?.isSure && fact.value !== null
    })
  }
  private readonly owned = new Map<string, Set<string>>()
  private own(owner: string, id: string): void {
    const own = this.owned.get(owner) ?? new Set()
    this.owned.set(owner, own.add(id))
  }

  /**
   * Sends a change. The facts named in `after` are unsure from now on; a 2xx makes them what `after` says of its answer, a
   * refusal what they were.
   */
  private async send(
    member: Member,
    kind: string,
    path: string,
    options: Parameters<typeof call>[2],
    keys: readonly string[],
    after: (answer: Answer) => Record<string, FactValue>,
  ): Promise<void> {
    const before = keys.map((key) => [key, this.facts.get(key)] as const)
    for (const [key, fact] of before) this.facts.set(key, { value: fact?.value ?? null, isSure: false })
    const headers = { 'X-Forwarded-For': `10.${Math.floor(this.random() * 250)}.${Math.floor(this.random() * 250)}.7` }
    const answer = await call(this.server, path, { ...options, cookie: member.cookie, headers })
    // The balancer's: no node is there.
    if (answer.status === 502) throw new Error('no answer')
    if (answer.status < 300) {
      for (const [key, value] of Object.entries(after(answer))) this.facts.set(key, { value, isSure: true })
      this.acknowledged[kind] = (this.acknowledged[kind] ?? 0) + 1
      return
    }
    if (answer.status !== 429) this.unexpectedAnswers.push(`${kind}: ${answer.status} ${answer.body?.detail ?? ''}`)
    // Of what was never written nobody knows what it was.
    for (const [key, fact] of before) if (fact) this.facts.set(key, fact)
  }

  private async like(member: Member) {
    const dog = this.pick(this.sharedDogs)!
    const key = `like ${dog} ${member.id}`
    const method = this.random() < 0.6 ? 'PUT' : 'DELETE'
    await this.send(member, 'like', `/api/dogs/${dog}/like`, { method }, [key], () => ({
      [key]: method === 'PUT' ? 'yes' : null,
    }))
  }

  private async comment(member: Member) {
    const content = `Comentario ${Math.floor(this.random() * 1e9)}`
    const json = { content }
    await this.send(
      member,
      'comment',
      `/api/dogs/${this.pick(this.sharedDogs)}/comments`,
      { method: 'POST', json },
      [],
      (answer) => {
        const { id } = answer.body.comment
        this.own(`${member.id} comments`, id)
        return { [`comment ${id}`]: content }
      },
    )
  }

  private async deleteComment(member: Member) {
    const id = this.pick(this.knownIds('comment', `${member.id} comments`))
    if (!id) return
    const key = `comment ${id}`
    await this.send(member, 'uncomment', `/api/comments/${id}`, { method: 'DELETE' }, [key], () => ({ [key]: null }))
  }

  /** @returns the facts of what was added */
  private async addDog(member: Member): Promise<string[]> {
    let keys: string[] = []
    const images = this.photos.slice(0, 1 + Math.floor(this.random() * 3)).map((bytes) => new Blob([bytes]))
    const form = formOf({ name: 'Kira', breed: 'beagle', relationship: 'owner', images })
    await this.send(member, 'add', '/api/dogs', { method: 'POST', form }, [], ({ body: { dog } }) => {
      this.own(member.id, dog.id)
      const facts = { [`dog ${dog.id}`]: dog.name, [`gallery ${dog.id}`]: urlsOf(dog) }
      keys = Object.keys(facts)
      return facts
    })
    return keys
  }

  private async renameDog(member: Member) {
    const id = this.pick(this.knownIds('dog', member.id))
    if (!id) return
    const name = this.pick(['Kira', 'Toby', 'Luna', 'Rex', 'Nala'])!
    const key = `dog ${id}`
    await this.send(member, 'rename', `/api/dogs/${id}`, { method: 'PATCH', json: { name } }, [key], () => ({
      [key]: name,
    }))
  }

  private async replaceGallery(member: Member) {
    const id = this.pick(this.knownIds('gallery', member.id))
    if (!id) return
    const key = `gallery ${id}`
    const kept = this.facts.get(key)!.value!.split(' ')[0]!
    const form = formOf({ images: [new Blob([this.pick(this.photos)!]), kept] })
    await this.send(member, 'gallery', `/api/dogs/${id}/images`, { method: 'PUT', form }, [key], ({ body }) => ({
      [key]: urlsOf(body.dog),
    }))
  }

  private async deleteDog(member: Member) {
    const id = this.pick(this.knownIds('dog', member.id))
    if (!id) return
    const keys = [`dog ${id}`, `gallery ${id}`]
    await this.send(member, 'remove', `/api/dogs/${id}`, { method: 'DELETE' }, keys, () =>
      Object.fromEntries(keys.map((key) => [key, null])),
    )
  }

  private async emoji(member: Member) {
    const emoji = this.pick(EMOJIS)!
    const key = `emoji ${member.id}`
    const json = { alias: `Socia ${member.id.slice(0, 8)}`, emoji }
    await this.send(member, 'profile', '/api/profile', { method: 'PUT', json }, [key], () => ({ [key]: emoji }))
  }

  /** Somebody new, by the code of the mail: neither mail nor code is a fact, the session is. Undefined where refused. */
  private async signIn(member: Member): Promise<NewMember | undefined> {
    const email = `nueva-${randomUUID()}@ejemplo.es`
    const send = (kind: string, json: object, after: (answer: Answer) => Record<string, FactValue>) =>
      this.send({ ...member, cookie: '' }, kind, `/api/auth/${kind}`, { method: 'POST', json }, [], after)
    let isSent = false
    await send('magic-link', { email }, () => ((isSent = true), {}))
    if (!isSent) return
    const { code } = lastMailTo(this.server.dataDir, email)
    let newcomer: NewMember | undefined
    await send('code', { email, code }, ({ headers, body }) => {
      const [cookie = '', token = ''] = /^[^=]+=([^;]+)/.exec(headers.get('set-cookie') ?? '') ?? []
      const session = `session ${createHash('sha256').update(token).digest('hex')}`
      newcomer = { id: body.user.id, alias: body.user.alias, cookie, session }
      return { [session]: 'yes', [`account ${body.user.id}`]: 'yes' }
    })
    return newcomer
  }

  /** Somebody new, who says something about whoever came before them: nobody is reported twice, and so hidden. */
  private async report(member: Member) {
    const newcomer = await this.signIn(member)
    if (!newcomer) return
    const about = this.unreported.pop()
    this.unreported.push(newcomer.id)
    if (!about) return
    const words = `Denuncia ${Math.floor(this.random() * 1e9)}`
    const json = { kind: 'profile', id: about, reason: 'otra', words }
    const key = `report ${newcomer.id} ${about}`
    await this.send(newcomer, 'report', '/api/reports', { method: 'POST', json }, [key], () => ({ [key]: words }))
  }
  private readonly unreported: string[] = []

  /** Somebody new, who shows a dog and thinks better of it: their account goes, and all of it with it. */
  private async deleteAccount(member: Member) {
    const newcomer = await this.signIn(member)
    if (!newcomer) return
    const dogs = await this.addDog(newcomer)
    const keys = [newcomer.session, `account ${newcomer.id}`, ...dogs]
    const json = { dogs: 'delete', alias: newcomer.alias, now: true }
    await this.send(newcomer, 'erase', '/api/account', { method: 'DELETE', json }, keys, () =>
      Object.fromEntries(keys.map((key) => [key, null])),
    )
  }
}

const urlsOf = (dog: { images: { url: string }[] }): string => dog.images.map(({ url }) => url).join(' ')
