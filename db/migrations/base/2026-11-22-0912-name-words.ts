import { type Kysely, sql } from 'kysely'

/**
 * The index for searching names: for each dog and member one row per word of the name, from that word to the end, so that exact names,
 * prefixes and prefixes of words are each one range of an index. `plain` is without accents, `low` with them; signs are blanks in both.
 * `place` is 0 for the whole name, 1 for the others.
 *
 * Maintained by triggers in SQL only: an application-defined function would be missing when another program opens the file. The letters
 * that SQLite's lower() does not know are in `search_letters` (src/lib/text/search-key.ts normalises queries in the same way).
 */
const TABLES = [
  `CREATE TABLE search_letters (letter TEXT PRIMARY KEY NOT NULL, plain TEXT NOT NULL, low TEXT NOT NULL) WITHOUT ROWID`,
  ...['dog', 'member'].flatMap((kind) => [
    `CREATE TABLE ${kind}_words (
      place INTEGER NOT NULL, plain TEXT NOT NULL, low TEXT NOT NULL, id TEXT NOT NULL,
      PRIMARY KEY (place, plain, low, id)) WITHOUT ROWID`,
    `CREATE INDEX ${kind}_words_low ON ${kind}_words (place, low, id)`,
    `CREATE INDEX ${kind}_words_of ON ${kind}_words (id, place, plain)`,
  ]),
]

/** Characters of a name that are indexed: a longer one consists of piled up accents. */
const LONGEST = 200

/** What the letter at `at` adds to `column`: no blank at the beginning or after another one. */
const grown = (column: 'plain' | 'low') => {
  const letter = `coalesce(s.${column}, lower(substr(name, at, 1)))`
  return `f.${column} || iif(${letter} = ' ' AND (f.${column} = '' OR substr(f.${column}, -1) = ' '), '', ${letter})`
}

/** SQL for the rows of the names of `source`, which has `id` and `name`. */
const words = (source: string) => `
  WITH RECURSIVE
    folded (id, name, at, plain, low) AS (
      SELECT id, substr(name, 1, ${LONGEST}), 1, '', '' FROM ${source}
      UNION ALL
      SELECT id, name, at + 1, ${grown('plain')}, ${grown('low')}
      FROM folded f LEFT JOIN search_letters s ON s.letter = substr(name, at, 1)
      WHERE at <= length(name)),
    parts (id, place, plain, low) AS (
      SELECT id, 0, rtrim(plain), rtrim(low) FROM folded WHERE at > length(name) AND plain <> ''
      UNION ALL
      SELECT id, 1, substr(plain, instr(plain, ' ') + 1), substr(low, instr(low, ' ') + 1) FROM parts
      WHERE instr(plain, ' ') > 0)
  SELECT place, plain, low, id FROM parts`

/** SQL that fills both tables from the existing rows. */
export const FILL = [
  `INSERT INTO dog_words SELECT * FROM (${words('dogs')})`,
  `INSERT INTO member_words SELECT * FROM (${words('(SELECT id, alias AS name FROM profiles)')})`,
]

const kept = (kind: string, table: string, column: string) => {
  const add = `INSERT INTO ${kind}_words SELECT * FROM (${words(`(SELECT new.id AS id, new.${column} AS name)`)});`
  const drop = `DELETE FROM ${kind}_words WHERE id = old.id;`
  return [
    `CREATE TRIGGER ${table}_worded AFTER INSERT ON ${table} BEGIN ${add} END`,
    `CREATE TRIGGER ${table}_reworded AFTER UPDATE OF ${column} ON ${table}
      WHEN old.${column} IS NOT new.${column} BEGIN ${drop} ${add} END`,
    `CREATE TRIGGER ${table}_unworded AFTER DELETE ON ${table} BEGIN ${drop} END`,
  ]
}
const TRIGGERS = [...kept('dog', 'dogs', 'name'), ...kept('member', 'profiles', 'alias')]

/** Code points of Latin letters, signs and combining accents. */
const RANGES = [
  [0x21, 0x24f],
  [0x300, 0x36f],
  [0x1ab0, 0x1aff],
  [0x1dc0, 0x1dff],
  [0x1e00, 0x1eff],
  [0x2010, 0x2027],
  [0x20d0, 0x20ff],
  [0x2c60, 0x2c7f],
  [0xa720, 0xa7ff],
  [0xff01, 0xff5e],
] as const
/** Letters that read as others without a decomposition. */
const READ_AS: Record<string, string> = {
  ...Object.fromEntries([...'øØłŁđĐðÐħĦıŧŦŋĸþÞ'].map((letter, at) => [letter, [...'oOlLdDdDhHitTnkpP'][at]!])),
  œ: 'oe',
  Œ: 'oe',
  æ: 'ae',
  Æ: 'ae',
  ß: 'ss',
  ẞ: 'ss',
  // The Catalan l·l is one sound.
  '·': '',
}
const isRead = (letter: string) => /[\p{L}\p{N}]/u.test(letter)
const bare = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

function* letters(): Generator<[letter: string, plain: string, low: string]> {
  for (const [first, last] of RANGES)
    for (let code = first as number; code <= last; code++) {
      const letter = String.fromCodePoint(code)
      if (!isRead(letter) && !/[\p{M}\p{P}\p{S}\p{Z}\p{C}]/u.test(letter)) continue
      const sign = /\p{M}/u.test(letter) || letter === '·' ? '' : ' '
      const plain = [...bare(READ_AS[letter] ?? letter.normalize('NFKC'))]
        .map((one) => (isRead(one) ? one : sign))
        .join('')
      const low = isRead(letter) ? letter.toLowerCase().normalize('NFC') : sign
      const ascii = letter.replace(/[A-Z]/, (capital) => capital.toLowerCase())
      if (plain !== ascii || low !== ascii) yield [letter, plain, low]
    }
}

export async function up(db: Kysely<any>): Promise<void> {
  for (const statement of TABLES) await sql.raw(statement).execute(db)
  for (const [letter, plain, low] of letters())
    await db.insertInto('search_letters').values({ letter, plain, low }).execute()
  for (const statement of [...FILL, ...TRIGGERS]) await sql.raw(statement).execute(db)
}
