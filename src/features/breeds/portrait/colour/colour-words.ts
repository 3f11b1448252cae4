/** Spanish colour words and the coat colour each stands for. */

/** Longer entries first wherever one word contains another. */
// A table of words.
// prettier-ignore
export const COLOUR_WORDS: readonly (readonly [string, string])[] = [
  ['rojo ciervo', '#ad5f2e'], ['rojo ladrillo', '#b5622f'], ['rojo leonado', '#cd7f3e'], ['rojo dorado', '#cf7c36'], ['rojo fuego', '#c06a34'], ['rojo anaranjado', '#c96f35'],
  ['leonado carbonado', '#c68c4f'], ['trigo dorado', '#d8a657'], ['trigo rojizo', '#c98a50'], ['trigo oscuro', '#c08e54'], ['trigo claro', '#dcba84'],
  ['dorado rojizo', '#bf7435'], ['amarillo rojizo', '#cf9046'], ['amarillo trigo', '#dcb877'], ['amarillo pajizo', '#d9bd80'], ['amarillo león', '#d6a052'], ['hígado dorado', '#935a2b'],
  ['marrón habana', '#64402a'], ['marrón rojizo', '#92502b'], ['marrón lobo', '#8b6b4e'], ['gris plata', '#a9a19a'], ['gris corzo', '#a08c7c'], ['gris ratón', '#8d837c'], ['gris plomo', '#62666c'],
  ['gris lobo', '#8f887c'], ['gris negro', '#6b6a68'], ['gris rojizo', '#a08368'], ['gris hierro', '#75797b'], ['gris oscuro', '#5f6265'], ['gris acero', '#7b828a'], ['gris montaña', '#7f7d76'],
  ['gris sable', '#8e877f'], ['gris azulado', '#76828d'], ['gris amarillento', '#a79b80'], ['azul acero', '#55606c'], ['azul gris', '#7d8790'], ['café con leche', '#bda07f'], ['hierba seca', '#bfa36f'],
  ['hoja seca', '#9a683a'], ['pardo oso', '#5a4030'], ['albaricoque', '#e0aa72'], ['chocolate', '#5f3b26'], ['cebellina', '#c78843'], ['blenheim', '#ad5829'], ['mostaza', '#cb9c50'], ['pimienta', '#7a7f85'],
  ['castaño', '#aa6231'], ['leonado', '#d2a063'], ['bardino', '#8a6d4a'], ['verdino', '#86765a'], ['barcino', '#b98d59'], ['naranja', '#dc8f43'], ['amarill', '#e3bf80'], ['marfil', '#f6ecd6'], ['hígado', '#6b432c'],
  ['marron', '#74492c'], ['marrón', '#74492c'], ['canela', '#c57f45'], ['dorado', '#dfaa5b'], ['rojizo', '#bc6c38'], ['isabela', '#d8bd97'], ['limón', '#ecd391'], ['ceniza', '#a5a39b'], ['sésamo', '#bd7a42'],
  ['lobero', '#918470'], ['jabalí', '#80705a'], ['pardo', '#5a4030'], ['rosado', '#dca998'], ['bronce', '#6f5747'], ['blanco', '#fbf7ef'], ['cobre', '#a5643d'], ['crema', '#f0deba'], ['caoba', '#8f3f23'],
  ['negro', '#37322f'], ['negra', '#37322f'], ['arena', '#dcc196'], ['acero', '#6f7780'], ['plata', '#b5b6b6'], ['rubio', '#d9b277'], ['rubí', '#98451f'], ['junco', '#a88a5b'], ['beis', '#dcc6a2'], ['bayo', '#c79a5c'],
  ['miel', '#cf9848'], ['rojas', '#b9652f'], ['trigo', '#dcb877'], ['rojo', '#b8642f'], ['azul', '#71808d'], ['gris', '#8f9294'],
]

export const WHITE = '#fbf7ef'
export const BLACK = '#37322f'
export const TAN = '#bd7739'

/** A coat colour word found in a description. */
export interface ColourWord {
  word: string
  colour: string
  at: number
}

/** Colour words of a description, in their order. */
export function colourWords(text: string): ColourWord[] {
  const found: ColourWord[] = []
  let rest = text
  for (const [word, colour] of COLOUR_WORDS) {
    for (let at = rest.indexOf(word); at >= 0; at = rest.indexOf(word)) {
      found.push({ word, colour, at })
      // Blanked, so that a shorter word does not match within a longer one.
      rest = rest.slice(0, at) + '_'.repeat(word.length) + rest.slice(at + word.length)
    }
  }
  return found.sort((a, b) => a.at - b.at)
}

/** True for the brown family, whose nose and eyes are brown too. */
export const isLiver = (word: string): boolean =>
  /marr[oó]n|chocolate|h[ií]gado|habana|pardo|castaño|canela y|café/.test(word) && !/rojizo|lobo/.test(word)
