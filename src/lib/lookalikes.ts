import { withoutPiles } from './text.ts'

// Letters that a reader takes for others: two aliases that look the same must be the same name (issue 3, bad input).

/** Letter by letter, `from` and `to` alternating. Calls are marked pure: pages that need no table do not get it. */
function table(...rows: [from: string, to: string][]): ReadonlyMap<string, string> {
  return new Map(rows.flatMap(([from, to]) => [...from].map((letter, at) => [letter, [...to][at]!] as const)))
}

/** Letters of other alphabets with the Latin one each looks like. */
const OTHER_ALPHABETS = /* @__PURE__ */ table(
  ['АВЕЗІЈКМНОРЅТУХԌԚԜҮ', 'ABE3IJKMHOPSTYXGQWY'],
  ['авсԁеһіјкмнорԛѕтуԝхүӏ', 'abcdehijkmhopqstywxyl'],
  ['СΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹ', 'CABEZHIKMNOPTYXC'],
  ['αεηικνορτυχγϲ', 'aenikvoptuxyc'],
  ['ѵѴօսհ', 'vVouh'],
)

/** Latin letters that no decomposition turns into plain ones, and the apostrophe of phones. */
const LATIN = /* @__PURE__ */ table(
  ['øØłŁđĐðÐħĦıŧŦŋĸþÞ’', "oOlLdDdDhHitTnkpP'"],
  ['ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ', 'abcdefghijklmnoprstuvwyz'],
)
const PAIRS: Readonly<Record<string, string>> = { œ: 'oe', Œ: 'OE', æ: 'ae', Æ: 'AE', ß: 'ss', ẞ: 'SS' }

/** True for a letter of another alphabet that passes for a Latin one: the Cyrillic «а». */
export const passesForLatin = (letter: string): boolean => OTHER_ALPHABETS.has(letter)

/** `text` with every such letter, and full-width and mathematical ones, as the plain letter a reader sees. */
export const plainLetters = (text: string): string =>
  [...withoutPiles(text).normalize('NFKC')]
    .map((letter) => OTHER_ALPHABETS.get(letter) ?? LATIN.get(letter) ?? PAIRS[letter] ?? letter)
    .join('')
