import type { Breed } from './breeds.ts'

/** BCP 47 tags by country, for original names in the country's language. Names from other scripts are transliterated. */
const LANGUAGE_BY_COUNTRY: Record<string, string> = {
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

/** Names in another language than their country's; null where the language is Spanish or unclear. */
const LANGUAGE_BY_NAME: Record<string, string | null> = {
  // Spanish in its parentheses, or not a word of the country's language.
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
 * The language of a breed's original name as a BCP 47 tag, for screen readers (WCAG 3.1.2); undefined where it is Spanish or
 * unknown.
 * @param isChanged whether an admin replaced the catalogue's name: its language is then unknown
 */
export function originalLanguage(
  breed: Pick<Breed, 'nombre_original' | 'pais_origen'>,
  isChanged = false,
): string | undefined {
  if (isChanged) return undefined
  const byName = LANGUAGE_BY_NAME[breed.nombre_original]
  return (byName === undefined ? LANGUAGE_BY_COUNTRY[breed.pais_origen] : byName) ?? undefined
}
