/**
 * For `node --import`: lets go of root's rights when a program of the operator's begins its work, its modules loaded. No permission
 * binds root, who runs the tests in containers; for anybody else it does nothing.
 */
import { NOBODY } from './nobody.ts'

const umask = process.umask.bind(process)
process.umask = (mask?: string | number) => {
  if (process.getuid!() === 0) {
    process.setgroups!([])
    process.setgid!(NOBODY)
    process.setuid!(NOBODY)
  }
  return mask === undefined ? umask() : umask(mask)
}
