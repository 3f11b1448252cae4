/** The order of the layers, as the first style of every page says it. Inline, so the content policy knows it by its hash. */
export const LAYERS = '@layer base,shell,parts'
