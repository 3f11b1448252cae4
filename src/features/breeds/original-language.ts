import type { Breed } from './breeds.ts'

/** BCP 47 tags by country, where a breed's original name is in the country's own language. Names not in Latin script at home are transliterated. */
const BY_COUNTRY: Record<string, string> = {
  Alemania: 'de',
  Austria: 'de',
  Australia: 'en',
  Canadá: 'en',
  'Estados Unidos': 'en',
  Irlanda: 'en',
  'Japón/Estados Unidos': 'en',
  'Reino Unido': 'en',
  Francia: 'fr',
  Bélgica: 'fr',
  'Bélgica/Francia': 'fr',
  Italia: 'it',
  Portugal: 'pt',
  Brasil: 'pt',
  Suiza: 'de',
  'Países Bajos': 'nl',
  Dinamarca: 'da',
  Noruega: 'no',
  Suecia: 'sv',
  Finlandia: 'fi',
  Islandia: 'is',
  Estonia: 'et',
  Polonia: 'pl',
  'República Checa': 'cs',
  Eslovaquia: 'sk',
  Eslovenia: 'sl',
  Croacia: 'hr',
  Hungría: 'hu',
  Rumanía: 'ro',
  Turquía: 'tr',
  Rusia: 'ru-Latn',
  Serbia: 'sr-Latn',
}

/** Names that are not in the language of their country, or of which nobody can say so: null. */
const BY_NAME: Record<string, string | null> = {
  // Spanish comes with its parentheses, or it is no word of the country's.
  'Caniche (variedad toy)': null,
  'Biewer Terrier': null,
  'Continental Bulldog': 'en',
  'Berger Blanc Suisse': 'fr',
  Schipperke: null,
  Stabijhoun: 'fy',
  Wetterhoun: 'fy',
  Tamaskan: null,
  Broholmer: null,
  Drever: null,
  Dunker: null,
  Chinook: null,
  'American Eskimo Dog': 'en',
  Pomsky: null,
  Cockapoo: null,
  Cavapoo: null,
  Maltipoo: null,
  Bolognese: 'it',
  Maltese: 'it',
  'Afghan Hound': 'en',
  'American Akita': 'en',
  'Tibetan Spaniel': 'en',
  'Tibetan Terrier': 'en',
  'Rhodesian Ridgeback': 'en',
  'Chinese Crested Dog': 'en',
  'Thai Ridgeback Dog': 'en',
  'Thai Bangkaew Dog': 'en',
  'Taiwan Dog': 'en',
  'Korea Jindo Dog': 'en',
  'Mudhol Hound': 'en',
  'Československý vlčiak': 'sk',
  'Qazaq Tazysy': 'kk-Latn',
  'Kelb tal-Fenek': 'mt',
  'Dansk-svensk gårdshund': 'da',
  Grønlandshund: 'da',
  'Bichon havanais': 'fr',
  'Bichon frisé': 'fr',
  // Spain's other languages.
  'Ca mè mallorquí': 'ca',
  'Ca de bestiar': 'ca',
  'Ca rater mallorquí': 'ca',
  "Gos d'atura català": 'ca',
  'Gos rater valencià': 'ca',
  'Xarnego valencià': 'ca',
  'Can de palleiro': 'gl',
  'Perdigueiro galego': 'gl',
  'Podengo galego': 'gl',
  'Erbi txakurra': 'eu',
  'Euskal artzain txakurra': 'eu',
  'Enkarterriko billanoa': 'eu',
  'Enkarterriko billanukoa': 'eu',
}

/**
 * The language of a breed's original name as a BCP 47 tag, for whoever has the page read out; undefined where it is Spanish
 * or not known (WCAG 3.1.2). What an admin wrote in its place is nobody's known language.
 * @param isChanged whether the name is no longer the catalogue's
 */
export function originalLanguage(
  breed: Pick<Breed, 'nombre_original' | 'pais_origen'>,
  isChanged = false,
): string | undefined {
  if (isChanged) return undefined
  const named = BY_NAME[breed.nombre_original]
  return (named === undefined ? BY_COUNTRY[breed.pais_origen] : named) ?? undefined
}
