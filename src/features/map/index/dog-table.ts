/** Texts by number, since thousands of dogs share a zone, a breed, a size. Number 0 is no text. */
class StringTable {
  readonly #numbers = new Map<string, number>()
  readonly #texts: (string | null)[] = [null]

  /** How many texts there are. */
  get size(): number {
    return this.#texts.length
  }

  /** The number of a text, a new one if need be. */
  intern(text: string | null): number {
    if (text === null) return 0
    let number = this.#numbers.get(text)
    if (number === undefined) {
      this.#numbers.set(text, (number = this.#texts.length))
      this.#texts.push(text)
    }
    return number
  }

  /** -1 for a text that no dog has. */
  find(text: string): number {
    return this.#numbers.get(text) ?? -1
  }

  text(number: number): string | null {
    return this.#texts[number]!
  }
}

/** Degrees are held as whole hundred-thousandths, about a metre: what answers are rounded to. */
export const UNITS_PER_DEGREE = 1e5
/** The longitude of a dog that is not on the map. */
const NO_LOCATION = 2 ** 31 - 1
const UINT32S_PER_ID = 4
/** Texts that are kept beyond two for each dog, before those that no dog has any more are forgotten. */
const SPARE_STRINGS = 1000
/** The figures that lists are sorted by; weight and age a dog may lack. */
export const FIGURE_FLAGS = { votes: 0, weight: 1, age: 2 } as const

/**
 * What the map knows of every dog, in columns: 50 bytes a dog, where an object took 400. A dog keeps its row while it is
 * there; a row that came free is not given away before `recycle`, so that indexes made of rows stay right until then.
 */
export class DogTable {
  strings = new StringTable()
  zones = new Uint32Array(0)
  breeds = new Uint32Array(0)
  sizes = new Uint32Array(0)
  /** Which figures a dog has: HAS, added up. */
  figures = new Uint8Array(0)
  created = new Float64Array(0)
  lons = new Int32Array(0)
  lats = new Int32Array(0)
  #ids = new Uint32Array(0)
  #live = new Uint8Array(0)
  /** Rows by id: row + 1 where the id's first word says or after it, 0 where nothing is. Half of it stays empty. */
  #rows = new Int32Array(2)
  #end = 0
  #gone: number[] = []
  #free: number[] = []
  readonly #key = new Uint32Array(UINT32S_PER_ID)

  get size(): number {
    return this.#end - this.#gone.length - this.#free.length
  }

  /** Makes room for so many dogs at once. */
  reserve(count: number): void {
    if (count <= this.created.length) return
    const room = Math.max(count, Math.ceil(this.created.length * 1.5), 64)
    const longer = <A extends Uint32Array | Int32Array | Float64Array | Uint8Array>(old: A, length = room): A => {
      const made = new (old.constructor as new (length: number) => A)(length)
      made.set(old)
      return made
    }
    this.zones = longer(this.zones)
    this.breeds = longer(this.breeds)
    this.sizes = longer(this.sizes)
    this.figures = longer(this.figures)
    this.created = longer(this.created)
    this.lons = longer(this.lons)
    this.lats = longer(this.lats)
    this.#live = longer(this.#live)
    this.#ids = longer(this.#ids, room * UINT32S_PER_ID)
    this.#rows = new Int32Array(2 ** Math.ceil(Math.log2(room * 2)))
    for (let row = 0; row < this.#end; row++) if (this.#live[row]) this.#rows[this.#placeOf(row)] = row + 1
  }

  /** The dog's row; -1 where it is not known. @throws Error for an id that is no UUID */
  find(id: string): number {
    parseUuid(id, this.#key)
    const mask = this.#rows.length - 1
    for (let at = this.#key[0]! & mask; this.#rows[at]; at = (at + 1) & mask) {
      const row = this.#rows[at]! - 1
      const from = row * UINT32S_PER_ID
      let n = 0
      while (n < UINT32S_PER_ID && this.#ids[from + n] === this.#key[n]) n++
      if (n === UINT32S_PER_ID) return row
    }
    return -1
  }

  /** A row for a dog that is not known yet. */
  add(id: string): number {
    if (this.#free.length === 0) this.reserve(this.#end + 1)
    const row = this.#free.pop() ?? this.#end++
    parseUuid(id, this.#key)
    this.#ids.set(this.#key, row * UINT32S_PER_ID)
    this.#live[row] = 1
    this.lons[row] = NO_LOCATION
    this.#rows[this.#placeOf(row)] = row + 1
    return row
  }

  remove(row: number): void {
    this.#live[row] = 0
    this.#gone.push(row)
    const mask = this.#rows.length - 1
    let hole = this.#ids[row * UINT32S_PER_ID]! & mask
    while (this.#rows[hole] !== row + 1) hole = (hole + 1) & mask
    // What stands behind the hole moves up unless it would pass its own place.
    for (let at = (hole + 1) & mask; this.#rows[at]; at = (at + 1) & mask) {
      const home = this.#ids[(this.#rows[at]! - 1) * UINT32S_PER_ID]! & mask
      if (((at - home) & mask) < ((at - hole) & mask)) continue
      this.#rows[hole] = this.#rows[at]!
      hole = at
    }
    this.#rows[hole] = 0
  }

  /** Where a dog stands, or null: not on the map. */
  move(row: number, point: { lon: number; lat: number } | null): void {
    this.lons[row] = point ? Math.round(point.lon * UNITS_PER_DEGREE) : NO_LOCATION
    this.lats[row] = point ? Math.round(point.lat * UNITS_PER_DEGREE) : 0
  }

  isPlaced(row: number): boolean {
    return this.lons[row] !== NO_LOCATION
  }

  id(row: number): string {
    const hex = Array.from(this.#ids.subarray(row * UINT32S_PER_ID, (row + 1) * UINT32S_PER_ID), (word) =>
      word.toString(16).padStart(8, '0'),
    ).join('')
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
  }

  /** The rows of all dogs, in no order. */
  *all(): Generator<number> {
    for (let row = 0; row < this.#end; row++) if (this.#live[row]) yield row
  }

  /** Rows that came free may be used again: no index knows them any more. */
  recycle(): void {
    this.#free = [...this.#free, ...this.#gone]
    this.#gone = []
  }

  /**
   * Forgets the texts that no dog has any more, where they are most of them: each edit of a zone may bring a new one. Numbers
   * of texts change. @returns whether it did
   */
  compactStrings(): boolean {
    const before = this.strings
    if (before.size <= 2 * this.size + SPARE_STRINGS) return false
    this.strings = new StringTable()
    for (const row of this.all())
      for (const column of [this.zones, this.breeds, this.sizes])
        column[row] = this.strings.intern(before.text(column[row]!))
    return true
  }

  /** The rows of the dogs on the map, newest first, by id where they came at one moment. */
  newestFirst(): Uint32Array {
    const rows = Uint32Array.from(this.#placed())
    return rows.sort((a, b) => this.created[b]! - this.created[a]! || this.#compareIds(b, a))
  }

  *#placed(): Generator<number> {
    for (const row of this.all()) if (this.isPlaced(row)) yield row
  }

  #compareIds(a: number, b: number): number {
    for (let n = 0; n < UINT32S_PER_ID; n++) {
      const difference = this.#ids[a * UINT32S_PER_ID + n]! - this.#ids[b * UINT32S_PER_ID + n]!
      if (difference) return difference
    }
    return 0
  }

  /** The first empty place for a row. */
  #placeOf(row: number): number {
    const mask = this.#rows.length - 1
    let at = this.#ids[row * UINT32S_PER_ID]! & mask
    while (this.#rows[at]) at = (at + 1) & mask
    return at
  }
}

/** The 32 digits of a UUID as four numbers. They sort as the text does. @throws Error for anything else */
function parseUuid(id: string, into: Uint32Array): void {
  let [word, digits] = [0, 0]
  for (let i = 0; i < id.length && digits < 33; i++) {
    const code = id.charCodeAt(i)
    if (code === 45) continue
    const digit = code < 58 ? code - 48 : code - 87
    if (digit < 0 || digit > 15) break
    word = (word << 4) | digit
    if (++digits % 8 === 0) into[digits / 8 - 1] = word
  }
  if (digits !== 32 || id.length !== 36) throw new Error(`«${id}» is no UUID`)
}
