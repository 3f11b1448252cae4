/** JSON, which every driver brings over. Elements stay in the page: BiDi hands them back as something falsy. */
export type Json = string | number | boolean | null | Json[] | { [name: string]: Json }

export interface ScreenOptions {
  width: number
  height: number
  dark: boolean
}

/** A real browser with one page, behind whatever drives it. Places are CSS px of the window. */
export interface Engine {
  /** What this driver cannot do, in words for the test's output. */
  readonly limitations: readonly string[]
  goto: (url: string) => Promise<void>
  /** Runs a function that uses nothing from around it inside the page. */
  run: <A extends Json[], T extends Json | undefined | void>(look: (...args: A) => T, ...args: A) => Promise<T>
  click: (x: number, y: number) => Promise<void>
  drag: (from: [number, number], to: [number, number]) => Promise<void>
  type: (text: string) => Promise<void>
  press: (key: 'Enter' | 'Escape' | 'Backspace' | 'SelectAll') => Promise<void>
  /** Gives a file to the field for files that `selector` finds, shown or not. */
  upload: (selector: string, path: string) => Promise<void>
  screenshot: (path: string) => Promise<void>
  /** What pages logged as an error, threw or left rejected since the start. */
  errors: () => Promise<string[]>
  close: () => Promise<void>
}
