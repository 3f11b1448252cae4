/**
 * An island's data that only the server renders from. Astro writes an island's props into the page by their enumerable properties; the
 * data is a private field, so that nothing of it is written. In the browser the prop is an empty object, and the island reads the same
 * data from its markup.
 */
export class ServerOnly<T> {
  readonly #data: T

  constructor(data: T) {
    this.#data = data
  }

  /** The data of a prop; undefined in the browser. */
  static read<T>(prop: ServerOnly<T>): T | undefined {
    return prop instanceof ServerOnly ? prop.#data : undefined
  }
}
