import { findTextWarning } from '#features/contact/text-warning.ts'
import { assert, suite } from '#tests/support/suites.ts'

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
  'Dame tu IBAN y lo arreglamos',
  'Si no hay recompensa no lo ves: paga el rescate',
]
const LINKS = [
  'Mira https://ejemplo.es/foto',
  'www.ejemplo.es',
  'Entra en perro-perdido.com',
  'bit.ly/abc',
  'Escribe a ana@ejemplo.es',
  'Ahora te llega un link, pincha y me avisas',
]
const PHONES = [
  'Llámame al 612 34 56 78',
  '+34 612345678',
  '612-345-678',
  'Soy el 0034 912 345 678',
  'seis uno dos tres cuatro cinco seis siete ocho',
]
const ASKS_FOR_CODE = [
  'Te mando un código de 6 cifras, dímelo y así sé que es tuyo',
  'Te va a llegar un código por SMS, pásamelo',
  '¿Me dices el código que te acaba de llegar?',
  'Para comprobar que eres el dueño te he enviado seis dígitos, léemelos',
  'Te llegará un mensaje con unos números, reenvíamelos',
  'Dime los 6 números que te han llegado al móvil',
  'Necesito las seis cifras que te salen en WhatsApp',
  'Mándame una captura del SMS que vas a recibir',
  'Confírmame el código de verificación, por favor',
  'Te envío un pin por Telegram y me lo dices',
  'Recibirás un SMS: dime qué pone',
  'Te mando un número por mensaje, dímelo',
  'Pásame el cod. de Google',
  'Dictame los digitos que recibas',
  'Me tienes que decir el c0digo',
  'Te mandan una clave, escríbemela aquí',
  '¿Puedes decirme las cifras que recibiste?',
  'Cópiame aquí los numeritos del mensaje',
  'Signal te enviará cinco dígitos, ¿me los pasas?',
  'kodigo de 6 cifras, dimelo',
  'Dime los números que te aparecen en la pantalla',
  'Te ha llegado el código del chip por SMS, dímelo',
  'Para comprobar el chip te llega un código de 6 cifras, dímelo',
  'Te voy a mandar un codigo de 6 digitos, me lo dices vale?',
  'te mande un sms con 6 numeros, me los puedes pasar?',
  'dime el numerito de 6 cifras que te llega',
  'Te he enviado una clave de seis números a tu móvil',
  'Envíame el token que te salga',
  'Necesito verificar que eres tú: 6 cifras por SMS',
  'Te mando un c ó d i g o, dímelo',
  'Léeme el mensaje que te acaba de llegar de Google',
  'Te mando 6 números por Whats, dímelos',
  'Responde con el código',
  'Te saldrá un numerillo, cántamelo',
  '¿Qué cifra te ha aparecido?',
  'Me dices el 5-d que te mandan',
  'Escríbeme el dos cinco siete que te sale',
  'Te acaban de mandar un texto, cópialo aquí',
  'Se me fue a tu número mi SMS, ¿me lo puedes reenviar?',
  'Envíame lo que te ha entrado en el móvil',
  'Sácale una foto al aviso que te ha saltado',
  'Acepta la notificación que te llega y dime el número que aparece',
  'Te ha llegado un número de confirmación, ¿cuál es?',
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
  'Tiene el chip con código 941000012345678',
  'Tiene el chip con código 9410…, dime si es el tuyo',
  'El microchip empieza por 9410 y tiene 15 cifras',
  '¿Me dices las últimas 4 cifras del chip para saber que es tuyo?',
  'Vive en la calle 6, número 12',
  'El código postal es 28013',
  'La chapa lleva un código QR y lo he escaneado',
  'En la placa pone un código grabado y un nombre',
  'Llámame al número que pone en la chapa',
  'Te mando una foto por WhatsApp cuando llegue a casa',
  'Dime si es él y te lo llevo',
  'Mándame un mensaje si lo ves',
  'Te he mandado un mensaje, dime algo',
  'Mándame un SMS y quedamos a las 6',
  'Dímelo en cuanto puedas',
  'Lo vi en el autobús 6, iba hacia el parque',
  'Eran 3 perros y 2 personas',
  'Te llega por correo la respuesta de la protectora',
  'Es clave que no corras detrás, dime por dónde vas',
  'Le puse un pin en el mapa, te mando la ubicación',
  'Tiene un tatuaje en la oreja con un código',
  'El veterinario le leyó el chip, el número es 941000012345678',
  'Salió del número 6, cruzó y lo perdí. Te paso fotos',
  '¿Tiene algún número en el collar?',
  'Lo tiene la policía local, pregunta por el número de aviso 123456',
  'El número de su chapa es 612',
  'Te mando la ubicación por Telegram',
  'Te llegará un mensaje de la protectora',
  'En el portal 6 hay una vecina que lo tiene',
  'Me dijo el del bar que lo vio a las 6',
  '¿Qué pone en su chapa?',
  'Te mando una foto, dime qué pone en la chapa si lo sabes',
  'Te mando un mensaje luego y me dices',
  'Lleva en la chapa el número 9410',
  'Él y otro galgo iban hacia la estación',
  'Iban 3 perros y uno cojeaba',
  'Tampoco busco dinero, tengo perros',
  'He visto que hay recompensa, no la quiero',
  'Gracias por adelantado',
  'El perro se adelantó y cruzó la vía',
  'Nos paga la consulta un vecino',
  'Guardo en el móvil 2 números de veterinarios',
  'Te mandé un mensaje con la ubicación, ¿me la confirmas?',
  'Dime el número que pone en su chapa',
  'Te he mandado un mensaje, dime la hora y voy',
]

warning('Requests for money and codes are found, however they are spelt', () => {
  for (const text of MONEY) assert.is(findTextWarning(text), 'money', text)
})
warning('Whatever asks for a code that opens an account is folded as money is', () => {
  for (const text of ASKS_FOR_CODE) assert.is(findTextWarning(text), 'money', text)
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
