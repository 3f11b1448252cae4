declare namespace Astro {
  interface ClientDirectives {
    /** Hydrates at the first click on what matches this selector (see demand.directive.ts). */
    'client:demand'?: string
    /** Hydrates at the first pointer, focus or key on the island (see interaction.directive.ts). */
    'client:interaction'?: boolean
    /** Hydrates when the island's first photos are painted, or at the first interaction (see settled.directive.ts). */
    'client:settled'?: boolean
  }
}

/** The data of emoji-mart's picker (see emojis.ts). */
declare module 'virtual:emojis' {
  const data: object
  export default data
}
