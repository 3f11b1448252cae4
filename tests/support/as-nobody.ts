/**
 * For `node --import`: drops root when an operator program starts its work, after its modules are loaded. In containers the tests run
 * as root, which no permission stops; for any other user it does nothing.
 */
import { NOBODY_UID } from './nobody.ts'

const umask = process.umask.bind(process)
process.umask = (mask?: string | number) => {
  if (process.getuid!() === 0) {
    process.setgroups!([])
    process.setgid!(NOBODY_UID)
    process.setuid!(NOBODY_UID)
  }
  return mask === undefined ? umask() : umask(mask)
}
