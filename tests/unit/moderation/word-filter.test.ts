import { findTextFlag } from '#features/moderation/text-filter.ts'
import { assert, assertNone, suite } from '#tests/support/suites.ts'

const words = suite('unit/moderation/word-filter')

const SALE_OFFERS = [
  'Se vende',
  'SE VENDE cachorro precioso',
  'Se venden cachorros de beagle',
  'sevende',
  'Está en venta',
  'A la venta desde hoy',
  'Vendo a Toby por mudanza',
  'vendemos la camada',
  'Vénd0 cachorros',
  'v3nd0 perro',
  'cachorros disponib1es',
  'V e n d o perro',
  's.e v.e.n.d.e',
  'se veeeende',
  'ѕе vende', // Cyrillic
  'se\u200B vende',
  'Precio 300 €',
  'precio: 250',
  'Cachorros, 300€',
  'Solo 1.200 euros',
  '€ 450',
  '150 eur y es tuyo',
  'Camada disponible',
  'Cachorros disponibles para Navidad',
  'Disponible camada de galgos',
  'Reserva ya tu cachorro',
  'Precio a convenir',
  'Precio negociable, por privado',
  'Macho para monta',
  'Cuesta 300 €',
]
const SLURS = [
  'Eres una puta',
  'hijo de puta',
  'hijos de la gran puta',
  'GILIPOLLAS',
  'gilip0llas',
  'cabrón',
  'maricón',
  'm4ric0n',
  'gilipo11as',
  'gi1ipollas',
  'g1l1po11a5',
  'c4br0n',
  'ca8ron',
  'p u t a',
  'subnormal',
  'sudaca',
  'negro de mierda',
  'moros de mierda',
  'Mátate',
  'puuuuta',
  'hdp',
]
const ALLOWED_TEXTS = [
  '',
  'Toby',
  'Perra',
  'Mi perra es muy buena',
  'Una perra negra preciosa',
  'Negro',
  'Galgo negro con el pecho blanco',
  'Es negro, de pelo duro',
  'Moro',
  'Zorra, porque corre como una zorra',
  'Canela y Mora',
  'Adoptado en Venta de Baños',
  'Vive en Venta del Moro',
  'Las Ventas, Madrid',
  'No se vende: es de la familia',
  'Aquí no se venden perros',
  'No está en venta',
  'No lo vendo ni por todo el oro del mundo',
  'Lo encontramos vendado y asustado',
  'El vendedor de helados le da galletas',
  'La operación en el veterinario costó 300 €',
  'Gastamos 40 € en pienso al mes',
  'Tasa de adopción: 150 €',
  'La protectora pide un donativo de 20 euros',
  'Le compré un collar de 12 €',
  'Pesa 30 kg y tiene 4 años',
  'Tiene 3 hermanos y 300 amigos',
  'Nació en una camada de ocho',
  'Es de puta madre este perro',
  'Es el puto amo',
  'Qué disputa por la pelota',
  'Mi computadora y mi perro',
  'Tiene muy buena reputación',
  'Queso de Cabrales',
  'Maricarmen es su dueña',
  'Mongolia es su país de origen',
  'Le gusta mirar por la ventana',
  'Disponible para pasear los domingos',
  'Precioso',
  'El precio de quererlo es madrugar',
  'Año nuevo en el coño del mundo',
  'Monta a caballo conmigo',
  'Nació el 1 del 11, con 1,2 kg',
  'Vive en el 1A, calle Mirlo 9',
  'Mi n1 y su camada del 2018',
  'Un año y 3 meses, 4 patas, 2 orejas',
]

words('sale offers are flagged, however they are spelt', () => {
  assert.equal(
    [...SALE_OFFERS, 'ven\u115Fdo cachorros', 'ᴠᴇɴᴅᴏ cachorros', 'vendօ cachorros'].filter(
      (text) => findTextFlag(text) !== 'venta',
    ),
    [],
  )
})
words('slurs are flagged, however they are spelt', () => {
  assertNone(SLURS, (text) => findTextFlag(text) !== 'insultos')
})
/** «VENDO» and «PUTA» as they are drawn in each script, whole or as far as its letters go. */
const DRAWN: Record<string, [sale: string, slur: string]> = {
  lisu: ['\uA4E6\uA4F0\uA4E0\uA4D3\uA4F3', '\uA4D1\uA4F4\uA4D4\uA4EE'],
  cherokee: ['\u13D9\u13ACn\u13A0o', '\u13E2u\u13A2\u13AA'],
  'small cherokee': ['\uABA9\uAB7Cn\uAB70o', '\uABB2u\uAB72\uAB7A'],
  coptic: ['v\u2C88\u2C9Ad\u2C9E', '\u2CA2u\u2CA6\u2C80'],
  armenian: ['ve\u0578d\u0585', '\u0584\u057Dta'],
  syllabics: ['\u142FE\u144E\u15EAO', '\u146D\u144CT\u15E9'],
  'old italic': ['\u{10316}\u{10304}\u{1030D}d\u{1030F}', '\u{10310}u\u{10315}\u{10300}'],
  deseret: ['vend\u{1042C}', 'hij\u{1042C} de puta'],
  osage: ['vend\u{104EA}', 'p\u{104F6}ta'],
  'full width': ['\uFF36\uFF25\uFF2E\uFF24\uFF2F', '\uFF30\uFF35\uFF34\uFF21'],
  mathematical: ['\u{1D415}\u{1D404}\u{1D40D}\u{1D403}\u{1D40E}', '\u{1D5E3}\u{1D5E8}\u{1D5E7}\u{1D5D4}'],
  circled: ['\u24CB\u24BA\u24C3\u24B9\u24C4', '\u24C5\u24CA\u24C9\u24B6'],
  'dark circles': ['\u{1F165}\u{1F154}\u{1F15D}\u{1F153}\u{1F15E}', '\u{1F15F}\u{1F164}\u{1F163}\u{1F150}'],
  'dark squares': ['\u{1F185}\u{1F174}\u{1F17D}\u{1F173}\u{1F17E}', '\u{1F17F}\u{1F184}\u{1F183}\u{1F170}'],
  'letters of flags': ['\u{1F1FB}\u{1F1EA}\u{1F1F3}\u{1F1E9}\u{1F1F4}', '\u{1F1F5}\u{1F1FA}\u{1F1F9}\u{1F1E6}'],
  phonetic: ['v\u025B\u0273\u0256o', 'pu\u0288\u0251'],
  money: ['v\u0246\u20A6do', '\u20B1\u0244\u20AE\u20B3'],
  greek: ['\u03BD\u03B5n\u0501\u03BF', '\u03C1\u03C5\u03C4\u03B1'],
}
words('confusable letters of every script are read as Latin ones', () => {
  const passed = Object.entries(DRAWN).filter(
    ([, [sale, slur]]) =>
      findTextFlag(`${sale} cachorros`) !== 'venta' || findTextFlag(`Eres una ${slur}`) !== 'insultos',
  )
  assert.equal(
    passed.map(([script]) => script),
    [],
  )
})

words('ordinary texts about dogs are not flagged', () => {
  assertNone(ALLOWED_TEXTS, (text) => findTextFlag(text) !== null)
})
words('the first flagged text of several decides', () => {
  assert.is(findTextFlag('Toby', null, 'Se vende'), 'venta')
  assert.is(findTextFlag(undefined, null, ''), null)
})
words('a text of the maximum length is read to its end', () => {
  const long = `${'v e n d '.repeat(900)}${'se se se '.repeat(900)}${'3'.repeat(900)}`
  assert.is(findTextFlag(long), null)
  assert.is(findTextFlag(`${long} 300 €`), 'venta')
})
words.run()
