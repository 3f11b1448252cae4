// Runs the commands of package.json: the project's own Node executes a script of the sources with the command line's arguments.
import { spawnSync } from 'node:child_process'
import { childEnv, node, requireInstalled } from './setup.mjs'

/**
 * Runs `script` to its end in this process's terminal.
 * @param {string} script a path from the project's folder
 * @param {string[]} args the command line's arguments by default
 * @returns {number} its exit status; 1 where a signal ended it
 */
export function runScript(script, args = process.argv.slice(2)) {
  const { status, signal } = spawnSync(node, ['--disable-warning=ExperimentalWarning', script, ...args], {
    stdio: 'inherit',
    env: childEnv(),
  })
  // Ctrl-C needs no explanation.
  if (signal && signal !== 'SIGINT') console.error(`perrario · la orden no acabó: la cortó el sistema (${signal}).`)
  return status ?? 1
}

/** Runs `script` and ends this process with its status. */
export function launch(script) {
  requireInstalled()
  process.exit(runScript(script))
}
