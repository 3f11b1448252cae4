const BAR_WIDTH = 24

/**
 * Prints how far something is: on a terminal a bar that is written again, otherwise a line for each tenth.
 * @returns call it as often as you like
 */
export function startProgress(): (done: number, total: number, text: string) => void {
  let lastTenth = -1
  return (done, total, text) => {
    const share = total === 0 ? 1 : done / total
    const percent = `${Math.floor(share * 100)} %`
    if (process.stdout.isTTY) {
      const filled = Math.floor(share * BAR_WIDTH)
      const bar = '█'.repeat(filled) + '░'.repeat(BAR_WIDTH - filled)
      const line = `${bar} ${percent.padStart(5)}  ${text}`.slice(0, (process.stdout.columns || 80) - 1)
      process.stdout.write(`\r${line}\u001b[K${done === total ? '\n' : ''}`)
    } else if (Math.floor(share * 10) !== lastTenth) {
      lastTenth = Math.floor(share * 10)
      console.log(`${percent.padStart(5)}  ${text}`)
    }
  }
}
