import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { doubtOf } from '#features/moderation/words.ts'

const words = suite('words')

const SALE = [
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
  'p u t a',
  'subnormal',
  'sudaca',
  'negro de mierda',
  'moros de mierda',
  'Mátate',
  'puuuuta',
  'hdp',
]
const FINE = [
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
  'Un año y 3 meses, 4 patas, 2 orejas',
]

words('what offers a dog for sale is doubted, however it is spelt', () => {
  assert.equal(
    [...SALE, 'ven\u115Fdo cachorros', 'ᴠᴇɴᴅᴏ cachorros', 'vendօ cachorros'].filter(
      (text) => doubtOf(text) !== 'venta',
    ),
    [],
  )
})
words('slurs are doubted, however they are spelt', () => {
  assert.equal(
    SLURS.filter((text) => doubtOf(text) !== 'insultos'),
    [],
  )
})
words('what people say of dogs is not', () => {
  assert.equal(
    FINE.filter((text) => doubtOf(text) !== null),
    [],
  )
})
words('the first of several texts that is doubted decides', () => {
  assert.is(doubtOf('Toby', null, 'Se vende'), 'venta')
  assert.is(doubtOf(undefined, null, ''), null)
})
words('a text as long as may be sent is read to its end', () => {
  const long = `${'v e n d '.repeat(900)}${'se se se '.repeat(900)}${'3'.repeat(900)}`
  assert.is(doubtOf(long), null)
  assert.is(doubtOf(`${long} 300 €`), 'venta')
})
words.run()
