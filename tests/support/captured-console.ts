/** Keeps what `console` is given instead of printing it, a line each, until the block ends: `using lines = captureConsole()`. */
export function captureConsole(): string[] & Disposable {
  const { error, warn, log } = console
  const lines: string[] = []
  console.error = console.warn = console.log = (...words: unknown[]) => void lines.push(words.map(String).join(' '))
  return Object.assign(lines, { [Symbol.dispose]: () => void Object.assign(console, { error, warn, log }) })
}
