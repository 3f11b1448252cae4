import load from 'astro/runtime/client/load.js'
import demand from '../demand.directive.ts'
import interaction from '../interaction.directive.ts'
import settled from '../settled.directive.ts'

// Where Astro's element of islands looks its directives up.
Object.assign(globalThis, { Astro: { load, demand, interaction, settled } })
