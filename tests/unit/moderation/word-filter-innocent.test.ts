import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { findTextFlag } from '#features/moderation/text-filter.ts'

// Sentences about dogs that resemble an offer or a slur: none may wait for the admin.
const innocent = suite('unit/moderation/word-filter-innocent')

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
El can de la casa`.split('\n')
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
N. y V. son sus tutores`.split('\n')

innocent('innocent sentences pass, however similar to flagged ones', () => {
  const sentences = [...INNOCENT, ...MORE_INNOCENT]
  assert.ok(new Set(sentences).size >= 150, String(sentences.length))
  assert.equal(
    sentences.filter((text) => findTextFlag(text) !== null).map((text) => `${findTextFlag(text)}: ${text}`),
    [],
  )
})

innocent.run()
