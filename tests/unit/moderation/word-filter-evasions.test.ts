import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { findTextFlag } from '#features/moderation/text-filter.ts'

// What the word filter makes of words that are written so that a filter misses them, and of innocent sentences that look so.

const evasions = suite('evasions of the word filter')

/** Between the letters of a word, as people spell it out. */
const SEPARATORS = [
  '/',
  '|',
  ',',
  '.',
  '-',
  '_',
  '*',
  '+',
  '~',
  '·',
  '•',
  '\n',
  ' ',
  '  ',
  ' . ',
  ' / ',
  ', ',
  '✨',
  ' 🐶 ',
  '\u00A0',
  '—',
  ')(',
]
const SPELLED: [word: string, flag: string][] = [
  ['vendo', 'venta'],
  ['vendemos', 'venta'],
  ['sevende', 'venta'],
  ['puta', 'insultos'],
  ['cabron', 'insultos'],
  ['gilipollas', 'insultos'],
  ['maricon', 'insultos'],
]
evasions('a word spelled letter by letter is read, whatever stands between the letters', () => {
  const passed = SPELLED.flatMap(([word, flag]) =>
    SEPARATORS.flatMap((separator) => {
      const spelled = [...word].join(separator)
      const texts = [spelled, spelled.toUpperCase(), `Hola, ${spelled} cachorros`, `y ${spelled} a`, `${spelled}.`]
      return texts.filter((text) => findTextFlag(text) !== flag)
    }),
  )
  assert.equal(passed, [])
})

evasions('also two words, letters in uneven groups, and digits among them', () => {
  const sales = [
    's/e v/e/n/d/e',
    's e  v e n d e',
    'S.E. V.E.N.D.E.',
    'v 3 n d 0',
    'v-3-n-d-0',
    'e/n v/e/n/t/a',
    'v e n d 0 cachorros',
  ]
  const slurs = ['h/i/j/o d/e p/u/t/a', 'e r e s p u t a', 'p 4 ( t 4 p u t 4', 'g 1 l i p 0 l l a s']
  assert.equal(
    sales.filter((text) => findTextFlag(text) !== 'venta'),
    [],
  )
  assert.equal(
    slurs.filter((text) => findTextFlag(text) !== 'insultos'),
    [],
  )
})

evasions('a word cut in two is read as one', () => {
  const cut = (word: string, separators: readonly string[]) =>
    Array.from({ length: word.length - 1 }, (_, i) =>
      separators.map((s) => word.slice(0, i + 1) + s + word.slice(i + 1)),
    ).flat()
  const tight = ['-', '/', '_', '|', '*', '·', '--', '+']
  const sales = [
    ...cut('vendo', [...tight, '.', ' ']),
    ...cut('vendemos', tight),
    ...cut('vende', tight).map((w) => `se ${w}`),
  ]
  const slurs = [
    ...cut('puta', [...tight, '.', ' ']),
    ...cut('gilipollas', [...tight, ' ']),
    ...cut('maricon', tight),
    ...cut('cabron', [...tight, ' ']),
  ]
  assert.equal(
    sales.filter((text) => findTextFlag(`${text} cachorros`) !== 'venta'),
    [],
  )
  assert.equal(
    slurs.filter((text) => findTextFlag(`Eres ${text}`) !== 'insultos'),
    [],
  )
})

/** Letters of many scripts and signs that pass for those of «vendo» and «puta», as Unicode's confusables name them. */
const LOOKALIKES: Record<string, string> = {
  v: '𑣀𝈍ⴸꛟ𖼈𑢠𐔝∨⋁ꓦ',
  e: 'ᥱ℮ꬲҽ⋿ⴹ𑢦𑢮𐊆ҿеɛ',
  n: 'ռ𐔓𐆎Ɲᵰոɳ',
  d: 'ᑯꓒƌƉ₫ԁɖ',
  o: 'ᴑꬽσഠဝ𑣈〇ⵔ𐊒𐊫ⵁǾɵөθоօ',
  p: '⍴𐊕ƥᵽрρ',
  u: 'ꞟꭎ𑣘∪⋃ሀ𖽂𑢸ᵾʊƱυ',
  t: '⊤⟙🝨𖼊𑢼𐊗𐊱ȾƮτ',
  a: '⍺𖽀𐊠аɑ@4ª',
}
evasions('every letter that looks like one of ours is read as ours', () => {
  const drawn = (word: string) =>
    [...word].flatMap((letter, i) =>
      [...(LOOKALIKES[letter] ?? '')].map((shape) => word.slice(0, i) + shape + word.slice(i + 1)),
    )
  assert.equal(
    drawn('vendo').filter((text) => findTextFlag(`${text} cachorros`) !== 'venta'),
    [],
  )
  assert.equal(
    drawn('puta').filter((text) => findTextFlag(`Eres una ${text}`) !== 'insultos'),
    [],
  )
})

const OTHER_SALES = [
  'v3ndo',
  'vend0',
  'v€ndo',
  'v3nd0 cachorros',
  'veendo',
  'vvendo',
  'vendoo',
  'veeeendooo',
  '300 pavos',
  '300pavos',
  '1200 pavos',
  'Lo dejo por 50 pavos',
  'Vale 80 pavos',
  '300€',
  '300 €',
  '€300',
  '300 e',
  '300e',
  '300,-',
  '3 0 0 €',
  '300 EUR.',
  '300 leuros',
  '300 eurazos',
  '200 napos',
  'cien euros',
  'trescientos euros',
  'Quinientos pavos',
  'cincuenta y cinco euros',
  'bizum 300',
  'Bizum: 250',
  'bizum de 100 y es tuya',
  '300 pelas',
  'trescientos €',
]
const OTHER_SLURS = [
  'pvta',
  'put@',
  'pvt@',
  'puuta',
  'putta',
  'putaa',
  'puutaa',
  'p*ta',
  'put*',
  'pu*a',
  'p**a',
  'p#ta',
  'c*bron',
  'cabr*n',
  'mar*con',
  'gilip*llas',
  'gil!pollas',
  'mariconazo',
  'cabronazo',
  'hij0 de put4',
  'gili pollas',
  'gilip0llas',
]
evasions('digits, stars, doubled letters and prices in slang', () => {
  assert.equal(
    OTHER_SALES.filter((text) => findTextFlag(text) !== 'venta'),
    [],
  )
  assert.equal(
    OTHER_SLURS.filter((text) => findTextFlag(`Eres un ${text}`) !== 'insultos'),
    [],
  )
})

const INNOCENT = `Venado
Se llama Venado porque corre como uno
Venancio es su abuelo
Se vendó la pata
El domingo se vendó la pata trasera
Le vendó la oreja el veterinario
La vendó el veterinario con mucho cuidado
Le vendo la patita cada noche
Le vendé la pata yo misma
Vino con la cola vendada
Lo encontramos con una herida y le vendo la pata a diario
Nació a las 9 a.m. y duerme hasta las 10 p.m.
Es hijo de P. G. y de L. M.
P. G. lo encontró en el río
Cruce de mastín y galgo, 1/2 y 1/2
Come 1/2 taza de pienso, 3/4 si ha corrido
Pesa 12,5 kg; medía 40 cm
Es un perro súper-cariñoso y semi-sordo
Border-collie de pura cepa
Pastor-alemán y medio-galgo
Vive en Alcalá-Meco
A, b, c: sabe el abecedario
Le gustan la a, la e y la o
Sabe decir a, e, i, o, u
Plan A, plan B y plan C
Grupo sanguíneo D.E.A. 1.1
Tiene la L.O.E. en regla
Su L.O.E. y su chip están al día
D. O. Rueda es su vino
Ven, doctor, mira qué bien está
Ven. Dos vueltas y a casa
¡Ven! Demos un paseo
Se ven de lejos sus orejas
Se ven de noche sus ojos
Se ven.De lejos parecen lobos
Sus manchas se ven desde el balcón
En Ventas hay un parque precioso
Vive junto a la plaza de Las Ventas
Le ladra a todo lo que ve, no desiste
Va y viene con el viento
Lo vemos cada día
El viento le despeina
Vende felicidad sin saberlo
El vendedor de cupones le da chuches
Me vendería por una salchicha
No vendo nada, solo lo presumo
No lo vendo ni loco
No se vende ni se regala
Nunca lo pondría en un escaparate
Tiene 300 pulgas y 2 dueños
Han pasado 300 días desde que llegó
Recorrió 300 kilómetros
Saltó 2 metros y 30 centímetros
Persigue a los 3 pavos de la granja
Vive con 20 pavos y 12 gallinas
El pavo real le da miedo
En la granja hay pavos y ocas
Nació en 2018 e hizo las maletas en 2020
Desde 2019 e incluso antes vivía en la calle
Entre 2017 e inicios de 2018 estuvo en la perrera
Vive en la calle 300 este
Lleva el número 300 en la carrera
Corrió los 100 metros en 9 segundos
Va por la A-300 en coche
La N-301 pasa por su pueblo
El tren de las 8,30 lo asusta
Tiene 3,5 años
Su resultado fue 3-0 y 2,1
Del 1 al 10, un 11
Teléfono del veterinario 600 123 456
Le pusieron 4 puntos y 2 grapas
Cuatro patas, dos orejas y una cola
Mil besos y mil lametones
Cien años de perro
Cien kilómetros andando y tan fresco
Treinta y tres saltos seguidos
Mil gracias por compartirlo
Dos mil abrazos
Bizum, su hermano, también es negro
El veterinario nos cobró 300 euros
La operación costó mil euros
Las vacunas fueron cien euros
El pienso nos sale a cincuenta euros al mes
La protectora acepta Bizum al 600 como donativo
Pagamos 50 pavos de veterinario
El collar costó 30 €
La adopción son 150 euros con chip
Mari con su perro en la playa
Mari-Carmen y su galgo
Mari, con lo que llueve, sale igual
Ramón y Cajal es su calle
Maricarmen lo adora
Le gusta el maricastaña, un bollo
La disputa por la pelota
Computadora, ratón y perro
Buena reputación en el parque
Amputada de una pata y feliz
Le imputan el robo de un chorizo
Diputada honoraria del parque
D i s p u t a su pelota
Es un can tranquilo
El can de la casa
Cabra, cabrón y cabrito... no: solo cabras y cabritos en su finca`
  .split('\n')
  .slice(0, -1)
const MORE_INNOCENT = `Cabritos y ovejas son sus amigos
Cabrales es su pueblo
Cabrera del Mar es donde veranea
Encabritado cuando ve la correa
Puntual como un reloj
Pulpo es su apodo
Pura raza callejera
Puré de verduras los domingos
Punto y raya son sus hermanos
Pustulosa de cachorra, ahora preciosa
Le gusta la ruta del Cares
La ruta 66 de los galgos
Sube a la nube y baja
Tiene el subpelo normal
Un subgrupo normal de la raza
El suelo normal le aburre, quiere barro
Monta en coche sin marearse
Sube a la montaña con nosotros
Monta a caballo detrás de Ana
Desmonta los sofás
Camada de ocho, él fue el último
De su camada quedan cinco
Sus cachorros ya son grandes
Una cachorra muy traviesa
Disponible para jugar a cualquier hora
Precioso, cariñoso y muy noble
El precio de su amor es una galleta
Reserva siempre un sitio en el sofá
Reservado con los extraños
Su criador lo quería mucho
Ofrece la pata a cualquiera
Es negro azabache con el pecho blanco
Negra como la noche
Moro, por el color
Perra fiel donde las haya
Zorrita la llaman en el pueblo
Retrasa la cena para jugar
Chino, el mestizo del barrio
La china de su zapato
Gitana, porque baila
Judía verde, su juguete
Mata las horas durmiendo
Mátalas callando la llaman
Ojalá te la encuentres en el parque
Le voy a matar de tanto quererlo
Travelín es su peluche
Bollo, Bollito y Bollicao
C/ Mayor, 3, 2.º B
C/ Real s/n
Avda. de la Paz, 12, 1.º A
Km 12 de la M-30
Código 28001-B
ISO 9001, que es su chip
Chip n.º 941000012345678
Mide 50x30x20
El 50% galgo y 50% podenco
Le puse 5* en obediencia
★★★★★ el mejor
*besos* y *abrazos*
**Toby** es el mejor
#adoptanocompres #perros
@perrario os lo enseña
Toby & Luna, x siempre
Toby+Luna=amor
Guau/guau y a dormir
Y/o con su hermana
Macho y/o hembra, da igual
Él/ella no lo sabe
Perro/a muy bueno/a
L-M-X-J-V sale con el paseador
Paseo L M X J V a las 8
S.O.S.: busca pelota
O.K., mañana más
R.I.P. su pelota
U.C.I. veterinaria: ya salió
I.V.A. incluido en su sonrisa
Sí, o no, o a lo mejor
No o sí, depende
A o B, no sabe elegir
V de valiente
D. Quijote y Sancho, galgos los dos
E. T. es su apodo
La letra Ñ, como Ñoño
N. y V. son sus tutores
Ven do, re, mi: canta con el piano`
  .split('\n')
  .slice(0, -1)

evasions('innocent sentences pass, however much they look like something else', () => {
  const sentences = [...INNOCENT, ...MORE_INNOCENT]
  assert.ok(new Set(sentences).size >= 150, String(sentences.length))
  assert.equal(
    sentences.filter((text) => findTextFlag(text) !== null).map((text) => `${findTextFlag(text)}: ${text}`),
    [],
  )
})

evasions.run()
