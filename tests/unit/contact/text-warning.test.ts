import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { findTextWarning } from '#features/contact/text-warning.ts'

const warning = suite('unit/contact/text-warning')

const MONEY = [
  'Hazme un bizum de 50 y te lo llevo',
  'B i z u m al llegar',
  'b.i.z.u.m',
  'Un B1zum y te digo dónde está',
  'Hazme una transferencia primero',
  'Tengo tu perro, quiero 200 €',
  'Son 300 euros por la gasolina',
  'Mi IBAN es ES91 2100 0418 4502 0005 1332',
  'Págame por PayPal',
  '¿Cuánta recompensa das?',
  'Pago por adelantado, por favor',
  'Dime el código que te ha llegado por SMS',
  'Compra una tarjeta regalo y mándame el número',
]
const LINKS = [
  'Mira https://ejemplo.es/foto',
  'www.ejemplo.es',
  'Entra en perro-perdido.com',
  'bit.ly/abc',
  'Escribe a ana@ejemplo.es',
]
const PHONES = [
  'Llámame al 612 34 56 78',
  '+34 612345678',
  '612-345-678',
  'Soy el 0034 912 345 678',
  'seis uno dos tres cuatro cinco seis siete ocho',
]
const HONEST = [
  'Lo vi ayer a las 18:30 junto al río, iba cojeando.',
  'Vi un perro igual el 27/11/2026 a las 9.',
  'Lleva collar rojo. El chip es 941000012345678',
  'Está en la calle Mayor 12, con el portero. Le he dado agua.',
  'No quiero nada, solo que vuelva a casa.',
  'Corrió hacia el parque.Es muy rápido',
  'Lo rescató un vecino en la A-6, km 23',
  'Son 2 perros de unos 20 kg',
]

warning('Requests for money and codes are found, however they are spelt', () => {
  for (const text of MONEY) assert.is(findTextWarning(text), 'money', text)
})
warning('Links and addresses are found', () => {
  for (const text of LINKS) assert.is(findTextWarning(text), 'link', text)
})
warning('A phone number has the mildest warning', () => {
  for (const text of PHONES) assert.is(findTextWarning(text), 'phone', text)
  assert.is(findTextWarning('Bizum al 612345678'), 'money')
})
warning('Slurs and offers of sale are found by the word filter', () => {
  assert.is(findTextWarning('Eres un gilipollas'), 'words')
})
warning('What an honest finder writes has none', () => {
  for (const text of HONEST) assert.is(findTextWarning(text), null, text)
})

warning.run()
