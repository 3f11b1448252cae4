import { CONTINENTS } from './continents.ts'
import { CRADLES } from './cradles.ts'
import { comesFrom, isSeenIn, type Theme } from './theme.ts'

/** The shortest description that counts as a mix's story. */
const STORY_CHARS = 60
/** INE numbers. */
const ISLANDS = ['07', '35', '38']
// prettier-ignore
const COAST = ['03', '04', '08', '11', '12', '15', '17', '18', '20', '21', '27', '29', '30', '33', '36', '39', '43', '46', '48', '51', '52']
// prettier-ignore
const INLAND = ['01', '02', '05', '06', '09', '10', '13', '14', '16', '19', '22', '23', '24', '25', '26', '28', '31', '32', '34', '37', '40', '41', '42', '44', '45', '47', '49', '50']

const from = (continent: keyof typeof CONTINENTS) => comesFrom(...CONTINENTS[continent])

/** Themes about where a dog, or its breed, comes from. */
export const ORIGIN_THEMES: readonly Theme[] = [
  {
    id: 'de-aqui',
    title: 'Una raza de aquí',
    text: 'Cualquier raza española.',
    motif: 'sun',
    fits: comesFrom('España'),
  },
  {
    id: 'mestizo-con-historia',
    title: 'Un mestizo con historia',
    text: 'Un mestizo con su historia contada en la descripción: 60 caracteres o más.',
    motif: 'book',
    fits: ({ breed, descriptionChars }) => breed.isMixed && descriptionChars >= STORY_CHARS,
  },
  {
    id: 'britanico',
    title: 'De las islas británicas',
    text: 'Una raza del Reino Unido o de Irlanda.',
    motif: 'flag',
    fits: comesFrom('Reino Unido', 'Irlanda'),
  },
  {
    id: 'de-su-tierra',
    title: 'Una raza de su tierra',
    text: 'Una raza española vista en una provincia de las que la vieron nacer.',
    motif: 'pin',
    fits: ({ breed, province }) => CRADLES[breed.slug]?.includes(province) ?? false,
  },
  {
    id: 'adoptado',
    title: 'Adoptado',
    text: 'Un perro que encontró familia.',
    motif: 'home',
    fits: ({ isAdopted }) => isAdopted,
  },
  { id: 'asia', title: 'Llegado de Asia', text: 'Una raza asiática.', motif: 'globe', fits: from('Asia') },
  { id: 'aleman', title: 'Nacido en Alemania', text: 'Una raza alemana.', motif: 'flag', fits: comesFrom('Alemania') },
  {
    id: 'isla',
    title: 'Visto en una isla',
    text: 'Un perro visto en Baleares o en Canarias.',
    motif: 'island',
    fits: isSeenIn(...ISLANDS),
  },
  {
    id: 'norte',
    title: 'Del norte',
    text: 'Una raza nórdica: de Suecia, Noruega, Finlandia, Dinamarca, Islandia o Groenlandia.',
    motif: 'snow',
    fits: comesFrom('Suecia', 'Noruega', 'Finlandia', 'Dinamarca', 'Islandia', 'Groenlandia'),
  },
  {
    id: 'mil-leches',
    title: 'Mil leches',
    text: 'Cualquier mestizo.',
    motif: 'heart',
    fits: ({ breed }) => breed.isMixed,
  },
  { id: 'america', title: 'Cruzó el charco', text: 'Una raza americana.', motif: 'globe', fits: from('América') },
  {
    id: 'junto-al-mar',
    title: 'Junto al mar',
    text: 'Un perro visto en una provincia con costa, islas incluidas.',
    motif: 'water',
    fits: isSeenIn(...COAST, ...ISLANDS),
  },
  {
    id: 'frances',
    title: 'Con acento francés',
    text: 'Una raza de Francia.',
    motif: 'flag',
    fits: comesFrom('Francia'),
  },
  {
    id: 'sur-del-mundo',
    title: 'Del otro hemisferio',
    text: 'Una raza de África u Oceanía.',
    motif: 'globe',
    fits: comesFrom(...CONTINENTS.África, ...CONTINENTS.Oceanía),
  },
  {
    id: 'vecinos',
    title: 'De los vecinos',
    text: 'Una raza de Portugal o de Italia.',
    motif: 'sun',
    fits: comesFrom('Portugal', 'Italia'),
  },
  {
    id: 'sin-papeles',
    title: 'Fuera de la FCI',
    text: 'Una raza que la federación internacional no reconoce.',
    motif: 'paw',
    fits: ({ breed }) => breed.group === null && !breed.isMixed,
  },
  {
    id: 'tierra-adentro',
    title: 'Tierra adentro',
    text: 'Un perro visto en una provincia sin mar.',
    motif: 'mountain',
    fits: isSeenIn(...INLAND),
  },
  {
    id: 'alpes',
    title: 'De los Alpes',
    text: 'Una raza de Suiza o de Austria.',
    motif: 'mountain',
    fits: comesFrom('Suiza', 'Austria'),
  },
  {
    id: 'dos-paises',
    title: 'De dos países',
    text: 'Una raza que se reparten dos países o más.',
    motif: 'flag',
    fits: ({ breed }) => breed.countries.length > 1,
  },
  {
    id: 'este',
    title: 'Del este de Europa',
    text: 'Una raza de los Balcanes, de los Cárpatos o de más allá.',
    motif: 'pin',
    fits: comesFrom(
      'Hungría',
      'Polonia',
      'República Checa',
      'Eslovaquia',
      'Rumanía',
      'Croacia',
      'Eslovenia',
      'Serbia',
      'Montenegro',
      'Bosnia y Herzegovina',
      'Macedonia del Norte',
      'Estonia',
      'Rusia',
    ),
  },
]
