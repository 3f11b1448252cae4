import { buildLetterTable, replaceConfusables } from '#lib/text/confusables.ts'

// Apart from lib/text/confusables.ts, which pages with an alias field load: these tables weigh twice as much as all of it.

/**
 * Letters of scripts that hardly anybody writes in Spain, with the Latin one each looks like (after Unicode's confusables), and
 * signs that generators of «fancy text» use for letters. The word filter and the keys of aliases read them, search keys do not.
 */
const LETTERS_BY_SHAPE = /* @__PURE__ */ buildLetterTable(
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
  ['ɑɐɡɩƖʋƱʊƅəɛɜɘɾɼɳɲƞɱɖɗʂʈƭʐƶɓƀɦɥɬɭʁ', 'aagiIuUubeeeerrnnnmddsttzzbbhhllr'],
  // Signs of money and barred letters
  ['₳฿₵Ɇɇ₣₲Ⱨⱨ₭Ⱡⱡ₥₦₱Ɽɽ₴₮Ʉʉ₩ӾӿɎɏⱫⱬȺⱥɃƵ', 'ABCEeFGHhKLlmNPRrSTUuWXxYyZzAaBZ'],
)

/**
 * Further letters and signs by the Latin letter they pass for, of Unicode's confusables (UTS #39, `confusables.txt`) those that
 * neither a decomposition nor the tables above read. Hebrew, Arabic and digits of other scripts are left out.
 */
const SHAPES_BY_LETTER: Readonly<Record<string, string>> = {
  a: '⍺𖽀𐊠⍶',
  b: 'ƄЬᖯꞴ𐊂𐊡ƃƂБҍҌѣѢ',
  c: '🝌𑣲𐊢𐔜¢ȼ₡ҫҪ',
  d: 'ᑯꓒƌƉ₫',
  e: 'ᥱ℮ꬲҽ⋿ⴹ𑢦𑢮𐊆ҿ',
  f: 'ꬵꞙẝ𝈓ꞘϜ𑣂𑢢𐊇𐊥𐔥ƒƑᵮ',
  g: 'ᶃƍɠǥǤ',
  h: '𐋏ꚕᏲҢћӉӇ',
  i: '⍳ꙇ𑣃⍸ɨᵻᵼ',
  j: 'ϳꞲͿɉɈ',
  k: '𐔘ƙⱩҚꝀҞ',
  l: '∣⏽𐌠𞣇ǀӀߊⵏ𖼨𐊊𝈪Ⳑ𖼖𑢣𑢲𐔦Ɨƚɫ',
  m: 'Ϻ𐊰𐌑Ӎ',
  n: 'ռ𐔓𐆎Ɲᵰ',
  o: 'ᴑꬽσჿഠဝ𑣈𑣗〇ⵔዐଠ𑢵𐊒𐊫𐔖ꬾⵁǾɵꝋөѳꮎꮻ⊖⊝⍬𝈚🜔ƟꝊθΘӨѲⴱᎾᏫꭴတ',
  p: '⍴𐊕ƥᵽ',
  q: 'զⵕʠ',
  r: 'ꭇꭈᴦⲅгꮁ𝈖Ʀ𖼵ɍғᵲ',
  s: 'ƽ𑣁𖼺𐊖𐐠ᵴ',
  t: '⊤⟙🝨𖼊𑢼𐊗𐊱⍡ȾƮҬᵵ',
  u: 'ꞟꭎꭒ𑣘∪⋃ሀ𖽂𑢸ᵾꮜᏌ',
  v: '∨⋁𑜆𑣀𝈍ⴸꛟ𖼈𑢠𐔝𐆗🜈',
  w: 'ɯѡա𑜊𑜎𑜏𑣯ѽ𑓅ꝡ',
  x: '×⤫⤬⨯ᕁᕽ╳𐌢𑣬Ꭓⵝ𐊐𐊴𐔧⨰Ҳ𐆖',
  y: 'ɣᶌỿꭚყ𑣜𖽃𑢤𐊲ƴұ¥Ұ',
  z: '𑣄𐋵𑢩ȥȤᵶ',
}
const FURTHER_LETTERS: ReadonlyMap<string, string> = /* @__PURE__ */ (() =>
  new Map(
    Object.entries(SHAPES_BY_LETTER).flatMap(([latin, shapes]) =>
      Array.from(shapes, (shape) => [shape, latin] as const),
    ),
  ))()

/** Code points where whole alphabets begin that no decomposition turns into plain letters: circled, squared, those of flags. */
const ALPHABET_STARTS = [0x1f150, 0x1f170, 0x1f1e6]
const LETTER_A = 0x41
const ALPHABET_LENGTH = 26

/** The Latin letter that a reader sees in `letter`, of another script or drawn; `letter` itself where there is none. */
function latinLookOf(letter: string): string {
  const code = letter.codePointAt(0) ?? 0
  const start = ALPHABET_STARTS.find((from) => code >= from && code < from + ALPHABET_LENGTH)
  return start === undefined
    ? (LETTERS_BY_SHAPE.get(letter) ?? FURTHER_LETTERS.get(letter) ?? letter)
    : String.fromCharCode(LETTER_A + code - start)
}

/** `replaceConfusables`, and letters of any script, drawn ones and signs, as the plain letter that a reader sees in them. */
export const replaceLetterShapes = (text: string): string => Array.from(replaceConfusables(text), latinLookOf).join('')
