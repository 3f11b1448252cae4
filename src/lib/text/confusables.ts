import { limitCombiningMarks } from './text.ts'

// Confusables (Unicode TR39): letters that look like others. Two aliases that look alike must count as the same.

/** Maps each letter of `from` to the one at the same index of `to`. Calls are marked pure, so that bundles drop unused tables. */
export function buildLetterTable(...rows: [from: string, to: string][]): ReadonlyMap<string, string> {
  return new Map(rows.flatMap(([from, to]) => [...from].map((letter, at) => [letter, [...to][at]!] as const)))
}

/** Letters of other alphabets and the Latin ones that they look like. */
const NON_LATIN_CONFUSABLES = /* @__PURE__ */ buildLetterTable(
  ['АВЕЗІЈКМНОРЅТУХԌԚԜҮ', 'ABE3IJKMHOPSTYXGQWY'],
  ['авсԁеһіјкмнорԛѕтуԝхүӏ', 'abcdehijkmhopqstywxyl'],
  ['СΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹ', 'CABEZHIKMNOPTYXC'],
  ['αεηικνορτυχγϲ', 'aenikvoptuxyc'],
  ['ѵѴօսհ', 'vVouh'],
)

/** Latin letters that no decomposition turns into plain ones, and the apostrophe of phones. */
const LATIN_CONFUSABLES = /* @__PURE__ */ buildLetterTable(
  ['øØłŁđĐðÐħĦıŧŦŋĸþÞ’', "oOlLdDdDhHitTnkpP'"],
  ['ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ', 'abcdefghijklmnoprstuvwyz'],
)
const LIGATURES: Readonly<Record<string, string>> = { œ: 'oe', Œ: 'OE', æ: 'ae', Æ: 'AE', ß: 'ss', ẞ: 'SS' }

/** `text` with every confusable, full-width and mathematical letter as the plain Latin letter that a reader sees. */
export const replaceConfusables = (text: string): string =>
  [...limitCombiningMarks(text).normalize('NFKC')]
    .map((letter) => NON_LATIN_CONFUSABLES.get(letter) ?? LATIN_CONFUSABLES.get(letter) ?? LIGATURES[letter] ?? letter)
    .join('')
