import { buildLetterTable, replaceConfusables } from '#lib/text/confusables.ts'

// Apart from lib/text/confusables.ts, which pages with an alias field load: these tables weigh twice as much as all of it.

/**
 * Letters of scripts that hardly anybody writes in Spain, with the Latin one each looks like (after Unicode's confusables), and
 * signs that generators of «fancy text» use for letters. Only the word filter reads them: stored search keys and names do not.
 */
const LETTERS_BY_SHAPE = buildLetterTable(
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

/** Code points where whole alphabets begin that no decomposition turns into plain letters: circled, squared, those of flags. */
const ALPHABET_STARTS = [0x1f150, 0x1f170, 0x1f1e6]
const LETTER_A = 0x41
const ALPHABET_LENGTH = 26

/** The Latin letter that a reader sees in `letter`, of another script or drawn; `letter` itself where there is none. */
function latinLookOf(letter: string): string {
  const code = letter.codePointAt(0)!
  const start = ALPHABET_STARTS.find((from) => code >= from && code < from + ALPHABET_LENGTH)
  return start === undefined ? (LETTERS_BY_SHAPE.get(letter) ?? letter) : String.fromCharCode(LETTER_A + code - start)
}

/** `replaceConfusables`, and letters of any script, drawn ones and signs, as the plain letter that a reader sees in them. */
export const replaceLetterShapes = (text: string): string => Array.from(replaceConfusables(text), latinLookOf).join('')
