declare namespace Astro {
  interface ClientDirectives {
    /** Hydrates at the first click on what matches this selector (see demand.directive.ts). */
    'client:demand'?: string
  }
}
