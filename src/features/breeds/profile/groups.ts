/** The ten groups of the FCI, by number. Names and texts are our own words. */
export const FCI_GROUPS: Readonly<Record<number, { name: string; intro: string }>> = {
  1: {
    name: 'Perros pastores y boyeros',
    intro:
      'Los que mueven el ganado y los que leen la mente del pastor. Aquí están el border collie, el pastor alemán y media Europa de perros de carea, lanudos o rasos, grandes y pequeños. Suelen aprender deprisa y fijarse en todo; por eso mismo se aburren enseguida y se inventan trabajos, como reunir a los niños del parque. Los boyeros suizos no están en este grupo, sino en el segundo.',
  },
  2: {
    name: 'Pinscher, schnauzer, molosos y boyeros suizos',
    intro:
      'Un grupo de guardianes con tres ramas: los pinscher y schnauzer, ratoneros de cuadra que crecieron; los molosos, desde el dogo de pelo corto hasta el mastín que vigila rebaños en la montaña; y los boyeros suizos, que tiraban de carros de leche. Hay gigantes de setenta kilos y también el affenpinscher, que no pasa de seis.',
  },
  3: {
    name: 'Terriers',
    intro:
      'Nacieron casi todos en las islas británicas para entrar en la madriguera o acabar con las ratas del establo, y ese oficio no se hace con timidez. Los de patas largas, los de patas cortas, los de tipo bull y los de salón comparten arrojo, humor y mucha voz. Su pelo duro se arranca a mano y su opinión se negocia.',
  },
  4: {
    name: 'Teckels',
    intro:
      'Un grupo entero para una sola raza, el perro salchicha, con tres tallas y tres pelos. La talla se mide con una cinta alrededor del pecho, porque lo que importa es si cabe por la tejonera. Largo de espalda y de ideas, pide escaleras pocas y paciencia bastante.',
  },
  5: {
    name: 'Spitz y perros de tipo primitivo',
    intro:
      'Orejas de punta, cola enroscada y una idea propia de la obediencia. Reúne a los nórdicos de trineo, de caza y de guarda, a los spitz europeos y asiáticos, y a los primitivos, que se parecen a los primeros perros que vivieron con nosotros. El podenco ibicenco y el canario también están aquí.',
  },
  6: {
    name: 'Sabuesos, rastreadores y afines',
    intro:
      'El grupo de las narices. Siguen un rastro de ayer como quien lee un periódico, muchos de ellos en jauría y dando la voz mientras corren, así que en un piso los vecinos lo sabrán. El dálmata y el crestado de Rodesia, parientes de la familia, también entran. Son sociables, comilones y algo sordos cuando la nariz trabaja.',
  },
  7: {
    name: 'Perros de muestra',
    intro:
      'Encuentran la perdiz, se quedan clavados y esperan. Bracos, perdigueros, grifones, spaniels de muestra, pointers y setters: perros de campo abierto, incansables y casi siempre dulces en casa. Lo que peor llevan es un día sin salir.',
  },
  8: {
    name: 'Cobradores, levantadores y perros de agua',
    intro:
      'Traen lo que cae, levantan lo que se esconde y se meten en cualquier charco. El labrador y el golden comparten grupo con los cocker y con los perros de agua de rizo, entre ellos el español. Por lo general fáciles de tratar, hambrientos y con la boca llena de regalos.',
  },
  9: {
    name: 'Perros de compañía',
    intro:
      'Su oficio es estar contigo, y lo ejercen desde hace siglos en palacios, monasterios y pisos. Bichones, caniches, perritos belgas, crestados, spaniels ingleses de juguete y pequeños molosos. Que sean de compañía no los hace de adorno: pasean, aprenden y, en varios casos, avisan de cada ascensor.',
  },
  10: {
    name: 'Lebreles',
    intro:
      'Hechos para ver lejos y llegar antes. El galgo español, el greyhound, el saluki o el gran lebrel irlandés corren como nadie y después duermen como nadie. Necesitan un lugar cercado donde soltarse, un abrigo en enero y que no se les ponga un gato desconocido por delante.',
  },
}

/** The group of breeds that the FCI does not list, in addresses. */
export const OUTSIDE_FCI = 'otras'
export const OUTSIDE_FCI_GROUP = {
  name: 'Razas fuera de la FCI',
  intro:
    'No todo cabe en una nomenclatura. Aquí están las razas españolas que solo reconoce nuestro país o su comunidad autónoma, las que registran otros clubes del mundo, los cruces con nombre propio y, claro, el mestizo, que no necesita registro para ser el más numeroso de los parques.',
}
