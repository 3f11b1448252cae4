import { limitCombiningMarks } from './text.ts'

// Letters that a reader takes for others: two aliases that look the same must be the same name (issue 3, bad input).

/** Letter by letter, `from` and `to` alternating. Calls are marked pure: pages that need no table do not get it. */
function buildTable(...rows: [from: string, to: string][]): ReadonlyMap<string, string> {
  return new Map(rows.flatMap(([from, to]) => [...from].map((letter, at) => [letter, [...to][at]!] as const)))
}

/** Letters of other alphabets with the Latin one each looks like. */
const NON_LATIN_CONFUSABLES = /* @__PURE__ */ buildTable(
  ['АВЕЗІЈКМНОРЅТУХԌԚԜҮ', 'ABE3IJKMHOPSTYXGQWY'],
  ['авсԁеһіјкмнорԛѕтуԝхүӏ', 'abcdehijkmhopqstywxyl'],
  ['СΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹ', 'CABEZHIKMNOPTYXC'],
  ['αεηικνορτυχγϲ', 'aenikvoptuxyc'],
  ['ѵѴօսհ', 'vVouh'],
)

/**
 * Letters of scripts in which hardly anybody writes here, with the Latin one each looks like (after Unicode's confusables), and
 * signs that generators of «fancy text» put for letters. For what a text says, not for names: stored search keys know nothing of them.
 */
const SHAPES = /* @__PURE__ */ buildTable(
  // Lisu
  ['ꓐꓑꓓꓔꓖꓗꓙꓚꓜꓝꓟꓠꓡꓢꓣꓦꓧꓪꓫꓬꓮꓰꓲꓳꓴ', 'BPDTGKJCZFMNLSRVHWXYAEIOU'],
  // Cherokee, and its small letters
  ['ᎠᎡᎢᎥᎩᎪᎫᎬᎳᎷᎻᎽᏀᏂᏃᏏᏒᏔᏕᏙᏚᏞᏟᏢᏦᏧᏳᏴ', 'DRTiYAJEWMHYGhZbRWSVSLCPKdGB'],
  ['ꭰꭱꭲꭵꭹꭺꭻꭼꮃꮇꮋꮍꮐꮒꮓꮟꮢꮤꮥꮩꮪꮮꮯꮲꮶꮷᏻᏼ', 'drtiyajewmhyghzbrwsvslcpkdgb'],
  // Coptic
  ['ⲀⲂⲈⲎⲒⲔⲘⲚⲞⲢⲤⲦⲨⲬ', 'ABEHIKMNOPCTYX'],
  ['ⲁⲃⲉⲏⲓⲕⲙⲛⲟⲣⲥⲧⲩⲭ', 'abehikmnopctyx'],
  // Armenian
  ['ԼՏՍՕցգոքյ', 'LSUOgqnpj'],
  // Canadian syllabics
  ['ᗅᗩᗷᑕᗞᗪᗴᖴᕼᒍᒪᗰᑎᑭᑫᖇᔕᑌᐯᗯ᙭ᘔ', 'AABCDDEFHJLMNPqRSUVWXZ'],
  // Deseret, Osage and Old Italic
  ['𐐄𐐕𐐛𐐬𐐽𐑈𐓂𐓪𐓎𐓶𐒴', 'OCLocsOoUuR'],
  ['𐌀𐌁𐌂𐌄𐌅𐌇𐌉𐌊𐌋𐌌𐌍𐌏𐌐𐌔𐌕𐌖𐌗', 'ABCEFHIKLMNOPSTVX'],
  // Runes
  ['ᚱᛕᛖᚷᛒᛁ', 'RKMXBI'],
  // Phonetic letters and those with strokes
  ['ɑɐɡɩƖʋƅəɛɜɘɾɼɳɲƞɱɖɗʂʈƭʐƶɓƀɦɥɬɭʁ', 'aagiIubeeeerrnnnmddsttzzbbhhllr'],
  // Signs of money and barred letters
  ['₳฿₵Ɇɇ₣₲Ⱨⱨ₭Ⱡⱡ₥₦₱Ɽɽ₴₮Ʉʉ₩ӾӿɎɏⱫⱬȺⱥɃƵ', 'ABCEeFGHhKLlmNPRrSTUuWXxYyZzAaBZ'],
)

/** Rows of the whole alphabet that no decomposition turns into plain letters: circled, squared, and those of flags. */
const ALPHABETS_AT = [0x1f150, 0x1f170, 0x1f1e6]
const LETTER_A = 0x41
const LETTERS = 26

/** The Latin letter that a reader sees in `letter`, a letter of another script or a drawn one; the same where there is none. */
function shapeOf(letter: string): string {
  const code = letter.codePointAt(0)!
  const start = ALPHABETS_AT.find((from) => code >= from && code < from + LETTERS)
  return start === undefined ? (SHAPES.get(letter) ?? letter) : String.fromCharCode(LETTER_A + code - start)
}

/** Latin letters that no decomposition turns into plain ones, and the apostrophe of phones. */
const LATIN_CONFUSABLES = /* @__PURE__ */ buildTable(
  ['øØłŁđĐðÐħĦıŧŦŋĸþÞ’', "oOlLdDdDhHitTnkpP'"],
  ['ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ', 'abcdefghijklmnoprstuvwyz'],
)
const LIGATURES: Readonly<Record<string, string>> = { œ: 'oe', Œ: 'OE', æ: 'ae', Æ: 'AE', ß: 'ss', ẞ: 'SS' }

/** True for a letter of another alphabet that passes for a Latin one: the Cyrillic «а». */
export const isLatinConfusable = (letter: string): boolean => NON_LATIN_CONFUSABLES.has(letter)

/** `text` with every such letter, and full-width and mathematical ones, as the plain letter a reader sees. */
export const replaceConfusables = (text: string): string =>
  [...limitCombiningMarks(text).normalize('NFKC')]
    .map((letter) => NON_LATIN_CONFUSABLES.get(letter) ?? LATIN_CONFUSABLES.get(letter) ?? LIGATURES[letter] ?? letter)
    .join('')

/** As `plainLetters`, and letters of any script, drawn ones and signs, as the plain letter that a reader sees in them. */
export const seenLetters = (text: string): string => Array.from(replaceConfusables(text), shapeOf).join('')
